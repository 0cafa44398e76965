/**
 * Dispatches new events as soon as they are committed: woken by NOTIFY, and now and then in case a wake-up was lost.
 * Not a job of the queue, because there is nothing to remember: an event without a number is what is to be done.
 *
 * Of many workers three are woken, and the others look now and then: each wake-up is a message to every listener, and a
 * company can be dispatched by one at a time. When more waits than three get through, the others help.
 */
import type { Pool } from 'pg';
import type { Database } from '../platform/db/client.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import { listenForWakeups, type WakeupListener } from '../platform/notify/wakeups.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { Courier } from '../product/delivery/courier.ts';
import type { DeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { companiesWithEvents, dispatchEvents } from '../product/delivery/dispatch.ts';
import { wakeWebhooks } from '../product/webhooks/wake-webhooks.ts';
import type { Peers } from './peers.ts';

const companies_at_once = 4;
const most_companies = 200;
/** Workers that are woken. */
const listening = 3;
/** When all that is left is in the hands of other processes. */
const busy_pause_ms = 20;

interface Dispatcher {
  /** Finishes the companies it is at. */
  stop(): Promise<void>;
}

interface DispatcherOptions {
  url: string;
  /** For looks across companies. */
  pool: Pool;
  db: Database;
  mail: MailQueue;
  quotas: Quotas;
  meter: DeliveryMeter;
  courier: Courier;
  /** How often it looks without having been woken. */
  poll_ms: number;
  peers: Peers;
  log: Logger;
}

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { url, pool, db, poll_ms, peers, log } = options;
  let stopping = false;
  let woken = true;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    woken = true;
    wakeUp?.();
  };
  let listener: WakeupListener | undefined;
  const onError = (error: Error) => log.warn({ err: error }, 'not listening for events');
  const listenIfFirst = async () => {
    if (peers.isAmongFirst(listening)) {
      listener ??= listenForWakeups({ url, channel: 'events', onWakeup: wake, onError });
    } else {
      await listener?.close();
      listener = undefined;
    }
  };

  /** @returns how many companies had events, and whether any of them was dispatched here, or could not be */
  const round = async (): Promise<{ found: number; done: boolean; failed: boolean }> => {
    const companies = await companiesWithEvents({ pool, machines: db.machines }, most_companies);
    const found = companies.length;
    let done = false;
    let failed = false;
    const next = async () => {
      for (let company = companies.shift(); company !== undefined && !stopping; company = companies.shift()) {
        try {
          if (await dispatch(options, company)) done = true;
        } catch (error) {
          // Its machine of a cluster may be lost. What is wrong with one company does not keep the others waiting.
          failed = true;
          log.warn({ err: error, company_id: company }, 'events of a company can not be dispatched yet');
        }
      }
    };
    await Promise.all(Array.from({ length: companies_at_once }, next));
    return { found, done, failed };
  };
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  // Not all at the same moment.
  const pollPause = () => poll_ms * (0.75 + Math.random() / 2);
  const run = async () => {
    while (!stopping) {
      woken = false;
      try {
        await listenIfFirst();
        const { found, done, failed } = await round();
        const helps = listener === undefined && found < most_companies; // and has done its share
        if (failed) await rest(poll_ms);
        else if (done && !helps) continue;
        else if (found > 0 && !helps) await rest(busy_pause_ms);
        else if (!woken) await rest(pollPause());
      } catch (error) {
        log.warn({ err: error }, 'events can not be dispatched yet');
        await rest(poll_ms);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      stopping = true;
      wake();
      await running;
      await listener?.close();
    },
  };
}

/** @returns whether another process was not at it */
async function dispatch({ courier, ...options }: DispatcherOptions, company_id: string): Promise<boolean> {
  const { db, mail, quotas, meter, log } = options;
  const dispatched = await dispatchEvents({ db, mail, quotas }, company_id);
  const woken = [...(dispatched?.woken ?? [])].map((webhook_id) => ({ company_id, webhook_id }));
  // By this process at once; what it has no place for, by whoever has one.
  const waiting = woken.filter((wakeup) => !courier.wake(wakeup));
  await wakeWebhooks(db.tenant(company_id).raw, waiting);
  for (const webhook_id of dispatched?.deactivated ?? []) {
    meter.deactivated('backlog');
    log.warn({ company_id, webhook_id, reason: 'backlog' }, 'webhook deactivated');
  }
  return dispatched !== undefined;
}
