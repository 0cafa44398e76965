/**
 * Dispatches new events as soon as they are committed: woken by NOTIFY, and now and then in case a wake-up was lost.
 * Not a job of the queue, because there is nothing to remember: what is to be done stands in the outbox.
 */
import type { Pool } from 'pg';
import type { Database } from '../platform/db/client.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import { listenForWakeups } from '../platform/notify/wakeups.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { DeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { companiesWithEvents, dispatchEvents } from '../product/delivery/dispatch.ts';

const companies_at_once = 4;
const most_companies = 200;
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
  /** How often it looks without having been woken. */
  poll_ms: number;
  log: Logger;
}

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { url, pool, poll_ms, log } = options;
  let stopping = false;
  let woken = true;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    woken = true;
    wakeUp?.();
  };
  const listener = listenForWakeups({
    url,
    channel: 'outbox',
    onWakeup: wake,
    onError: (error) => log.warn({ err: error }, 'not listening for events'),
  });

  /** @returns whether anything was dispatched; undefined when there was nothing to do */
  const round = async (): Promise<boolean | undefined> => {
    const companies = await companiesWithEvents(pool, most_companies);
    if (companies.length === 0) return undefined;
    let done = false;
    const next = async () => {
      for (let company = companies.shift(); company !== undefined && !stopping; company = companies.shift()) {
        if (await dispatch(options, company)) done = true;
      }
    };
    await Promise.all(Array.from({ length: companies_at_once }, next));
    return done;
  };
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!stopping) {
      woken = false;
      try {
        const done = await round();
        if (done) continue;
        if (done === false) await rest(busy_pause_ms);
        else if (!woken) await rest(poll_ms);
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
      await Promise.all([running, listener.close()]);
    },
  };
}

/** @returns whether something was done: another process may be at it, or the company's machine of a cluster be lost */
async function dispatch({ db, mail, quotas, meter, log }: DispatcherOptions, company_id: string): Promise<boolean> {
  const dispatched = await dispatchEvents({ db, mail, quotas }, company_id).catch((error) => {
    // What is wrong with one company does not keep the others waiting.
    log.warn({ err: error, company_id }, 'events of a company can not be dispatched yet');
    return undefined;
  });
  for (const webhook_id of dispatched?.deactivated ?? []) {
    meter.deactivated('backlog');
    log.warn({ company_id, webhook_id, reason: 'backlog' }, 'webhook deactivated');
  }
  return dispatched !== undefined;
}
