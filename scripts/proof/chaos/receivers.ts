// Webhook receivers with different behaviors, on one server: records deliveries by event, with verified signatures.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';
import type { TrafficLog } from './traffic-log.ts';

/**
 * `good` and `slow` accept everything, `slow` after a delay; `flaky` rejects the first attempt of some events; `gone` returns 410
 * after some events; `down` never responds.
 */
export type Behavior = 'good' | 'slow' | 'flaky' | 'gone' | 'down';

export const acceptingBehaviors: readonly Behavior[] = ['good', 'slow', 'flaky'];

const slowMs = 1_000;
/** A flaky receiver first rejects one event in this many. */
const flakyShare = 40;
const goneAfterDeliveries = 30;

export interface Subscription {
  /** Id; undefined until the creation is acknowledged. */
  id: string | undefined;
  company_id: string;
  behavior: Behavior;
  events: string[];
  url: string;
  secret: string | undefined;
  /** When the creation was acknowledged; later events must arrive. */
  since: Date | undefined;
  /** Number of accepted deliveries by `webhook-id`. */
  accepted: Map<string, number>;
  /** All requests, including rejected ones. */
  requests: number;
}

export interface Receivers {
  /** Reserves a URL for a new subscription. */
  add(companyId: string, behavior: Behavior, events: string[]): Subscription;
  all: Subscription[];
  /** Times of accepted deliveries, ascending. */
  acceptedAtMs: number[];
  close(): Promise<void>;
}

export async function startReceivers(trafficLog: TrafficLog): Promise<Receivers> {
  const all: Subscription[] = [];
  const acceptedAtMs: number[] = [];
  const server = createServer(async (request, response) => {
    const subscription = all[Number(request.url!.slice(1))];
    const body = await buffer(request).catch(() => undefined);
    if (!subscription || !body) return void response.destroy();
    subscription.requests++;
    const { behavior, secret, accepted } = subscription;
    if (behavior === 'down') return void response.destroy();
    const id = String(request.headers['webhook-id']);
    if (secret) {
      const timestampS = Number(request.headers['webhook-timestamp']);
      const { standard } = signatures([secret], id, timestampS, body);
      if (request.headers['webhook-signature'] !== standard)
        trafficLog.violation(`the signature of event ${id} is wrong`);
    }
    if (behavior === 'slow') await sleep(slowMs);
    if (behavior === 'gone' && accepted.size >= goneAfterDeliveries) return void response.writeHead(410).end();
    if (behavior === 'flaky' && !accepted.has(id) && isChosen(id)) {
      accepted.set(id, 0);
      return void response.writeHead(500).end();
    }
    response.writeHead(204).end();
    accepted.set(id, (accepted.get(id) ?? 0) + 1);
    acceptedAtMs.push(performance.now());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    all,
    acceptedAtMs,
    add(companyId, behavior, events) {
      const url = `http://127.0.0.1:${port}/${all.length}`;
      const nothing = { id: undefined, secret: undefined, since: undefined, requests: 0 };
      const subscription: Subscription = {
        ...nothing,
        company_id: companyId,
        behavior,
        events,
        url,
        accepted: new Map(),
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

/** Based on the event id, so that all attempts are treated the same. */
function isChosen(id: string): boolean {
  return Number.parseInt(id.replace(/\W/g, '').slice(-6), 16) % flakyShare === 0;
}
