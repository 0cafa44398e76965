/**
 * Dispatches new events as soon as they are committed: woken by NOTIFY, and now and then in case a wake-up was lost.
 * Not a job of the queue, because there is nothing to remember: what is to be done stands in the outbox.
 *
 * Of many workers three are woken, and the others look now and then: each wake-up is a message to every listener, and a
 * company can be dispatched by one at a time. When more waits than three get through, the others help.
 */
import type { Database } from '../platform/db/client.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import { listenForWakeups, type WakeupListener } from '../platform/notify/wakeups.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { DeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { companiesWithEvents, dispatchEvents } from '../product/delivery/dispatch.ts';
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
  db: Database;
  mail: MailQueue;
  quotas: Quotas;
  meter: DeliveryMeter;
  /** How often it looks without having been woken. */
  poll_ms: number;
  peers: Peers;
  log: Logger;
}

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { url, db, poll_ms, peers, log } = options;
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
      listener ??= listenForWakeups({ url, channel: 'outbox', onWakeup: wake, onError });
    } else {
      await listener?.close();
      listener = undefined;
    }
  };

  /** @returns how many companies had events, and whether any of them was dispatched here */
  const round = async (): Promise<{ found: number; done: boolean }> => {
    const companies = await companiesWithEvents(db, most_companies);
    const found = companies.length;
    let done = false;
    const next = async () => {
      for (let company = companies.shift(); company !== undefined && !stopping; company = companies.shift()) {
        if (await dispatch(options, company)) done = true;
      }
    };
    await Promise.all(Array.from({ length: companies_at_once }, next));
    return { found, done };
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
        const { found, done } = await round();
        const helps = listener === undefined && found < most_companies; // and has done its share
        if (done && !helps) continue;
        if (found > 0 && !helps) await rest(busy_pause_ms);
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
async function dispatch({ db, mail, quotas, meter, log }: DispatcherOptions, company_id: string): Promise<boolean> {
  const dispatched = await dispatchEvents({ db, mail, quotas }, company_id);
  for (const webhook_id of dispatched?.deactivated ?? []) {
    meter.deactivated('backlog');
    log.warn({ company_id, webhook_id, reason: 'backlog' }, 'webhook deactivated');
  }
  return dispatched !== undefined;
}
