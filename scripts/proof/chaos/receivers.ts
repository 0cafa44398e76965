// Receivers of webhooks of all kinds, behind one address: what each has got, by event, with its signature checked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';
import type { Ledger } from './ledger.ts';

/**
 * `good` and `slow` take everything, slow ones after a while; `flaky` refuses the first attempt of some events; `gone`
 * says so (410) after a number of events; `down` never answers.
 */
export type Behaviour = 'good' | 'slow' | 'flaky' | 'gone' | 'down';

export const takesEverything: readonly Behaviour[] = ['good', 'slow', 'flaky'];

const slowMs = 1_000;
/** One event in so many is refused at first by a flaky receiver. */
const flakyShare = 40;
const goneAfter = 30;

export interface Subscription {
  /** The id; unknown until its creation was answered. */
  id: string | undefined;
  company_id: string;
  behaviour: Behaviour;
  events: string[];
  url: string;
  secret: string | undefined;
  /** Events from then on have to arrive: when its creation was answered. */
  since: Date | undefined;
  /** How often each event was taken, by `webhook-id`. */
  taken: Map<string, number>;
  /** Requests, refused ones as well. */
  requests: number;
}

export interface Receivers {
  /** Makes an address for a subscription that is about to be created. */
  add(companyId: string, behaviour: Behaviour, events: string[]): Subscription;
  all: Subscription[];
  /** When something was taken, in the order of time. */
  takenAtMs: number[];
  close(): Promise<void>;
}

export async function startReceivers(ledger: Ledger): Promise<Receivers> {
  const all: Subscription[] = [];
  const takenAtMs: number[] = [];
  const server = createServer(async (request, response) => {
    const subscription = all[Number(request.url!.slice(1))];
    const body = await buffer(request).catch(() => undefined);
    if (!subscription || !body) return void response.destroy();
    subscription.requests++;
    const { behaviour, secret, taken } = subscription;
    if (behaviour === 'down') return void response.destroy();
    const id = String(request.headers['webhook-id']);
    if (secret) {
      const timestampS = Number(request.headers['webhook-timestamp']);
      const { standard } = signatures([secret], id, timestampS, body);
      if (request.headers['webhook-signature'] !== standard) ledger.violation(`the signature of event ${id} is wrong`);
    }
    if (behaviour === 'slow') await sleep(slowMs);
    if (behaviour === 'gone' && taken.size >= goneAfter) return void response.writeHead(410).end();
    if (behaviour === 'flaky' && !taken.has(id) && isChosen(id)) {
      taken.set(id, 0);
      return void response.writeHead(500).end();
    }
    response.writeHead(204).end();
    taken.set(id, (taken.get(id) ?? 0) + 1);
    takenAtMs.push(performance.now());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    all,
    takenAtMs,
    add(companyId, behaviour, events) {
      const url = `http://127.0.0.1:${port}/${all.length}`;
      const nothing = { id: undefined, secret: undefined, since: undefined, requests: 0 };
      const subscription: Subscription = {
        ...nothing,
        company_id: companyId,
        behaviour,
        events,
        url,
        taken: new Map(),
      };
      all.push(subscription);
      return subscription;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** By its id, so that every attempt of it is treated alike. */
function isChosen(id: string): boolean {
  return Number.parseInt(id.replace(/\W/g, '').slice(-6), 16) % flakyShare === 0;
}
