/**
 * Dispatches new events as soon as they are committed: woken by NOTIFY, which names the company. Now and then it looks which
 * companies have events, in case a wake-up was lost. Not a job of the queue, because there is nothing to remember: an event
 * without a number is what is to be done.
 *
 * Of many workers three are woken, and the others look now and then: each wake-up is a message to every listener, and a
 * company can be dispatched by one at a time. When more waits than three get through, the others help.
 */
import type { Pool } from 'pg';
import { validate } from 'uuid';
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
/** After another process was found to be at it. */
const busy_pause_ms = 20;
/** Who takes long to find the companies looks less often: the database spends a twentieth of its time on it at most. */
const rest_factor = 20;

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
  const stopping = new AbortController();
  let listener: WakeupListener | undefined;
  const queue = queueOf(options, { stopping: stopping.signal, isTold: () => listener !== undefined });
  let missed = false;
  let look: (() => void) | undefined;
  const wake = (company_id?: string) => {
    if (validate(company_id)) return queue.add(company_id!);
    missed = true;
    look?.();
  };
  const onError = (error: Error) => log.warn({ err: error }, 'not listening for events');
  const listenIfFirst = async () => {
    if (peers.isAmongFirst(listening)) {
      listener ??= listenForWakeups({ url, channel: 'events', onWakeup: wake, onError });
    } else {
      await listener?.close();
      listener = undefined;
    }
  };
  /** @returns how long until the next look */
  const lookAround = async (): Promise<number> => {
    await listenIfFirst();
    const started_ms = performance.now();
    const found = await companiesWithEvents({ pool, machines: db.machines }, most_companies);
    for (const company_id of found) queue.add(company_id);
    const least_ms = rest_factor * (performance.now() - started_ms);
    // Not all at the same moment.
    return Math.max(least_ms, found.length < most_companies ? poll_ms * (0.75 + Math.random() / 2) : busy_pause_ms);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      missed = false;
      const pause_ms = await lookAround().catch((error: Error) => {
        log.warn({ err: error }, 'events can not be dispatched yet');
        return poll_ms;
      });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, missed ? 0 : pause_ms);
        look = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      wake();
      await running;
      await queue.ended();
      await listener?.close();
    },
  };
}

interface QueueOptions {
  stopping: AbortSignal;
  /** Whether this process is woken for each event: others hear of none, and may hold a company while one is written. */
  isTold(): boolean;
}

/** Companies that have events, a few of them at a time. */
function queueOf(options: DispatcherOptions, { stopping, isTold }: QueueOptions) {
  const { courier, poll_ms, log } = options;
  const waiting = new Set<string>();
  const under_way = new Map<string, Promise<void>>();
  /** Not begun for now. */
  const resting = new Set<string>();
  const failed = new Set<string>();
  const next = () => {
    for (const company_id of waiting) {
      if (stopping.aborted || under_way.size >= companies_at_once) return;
      if (under_way.has(company_id) || resting.has(company_id)) continue;
      waiting.delete(company_id);
      under_way.set(company_id, one(company_id));
    }
  };
  const add = (company_id: string) => {
    waiting.add(company_id);
    next();
  };
  const rest = (company_id: string, ms: number) => {
    resting.add(company_id);
    const end = () => {
      resting.delete(company_id);
      add(company_id);
    };
    setTimeout(end, ms).unref();
  };
  const one = async (company_id: string) => {
    try {
      // What fails may be the claim, and no company waits for that.
      const dispatched = await dispatch(options, company_id, failed.has(company_id) ? undefined : courier);
      failed.delete(company_id);
      if (dispatched?.more) waiting.add(company_id);
      else if (!dispatched && isTold()) rest(company_id, busy_pause_ms);
    } catch (error) {
      // Its machine of a cluster may be lost. What is wrong with one company does not keep the others waiting.
      failed.add(company_id);
      rest(company_id, poll_ms);
      log.warn({ err: error, company_id }, 'events of a company can not be dispatched yet');
    }
    under_way.delete(company_id);
    next();
  };
  return {
    add,
    async ended() {
      await Promise.all(under_way.values());
    },
  };
}

/** @param sender undefined where nothing is to be sent with it */
async function dispatch(options: DispatcherOptions, company_id: string, sender: Courier | undefined) {
  const { db, mail, quotas, courier, meter, log } = options;
  const dispatched = await dispatchEvents({ db, mail, quotas, courier: sender }, company_id);
  const woken = [...(dispatched?.woken ?? [])].map((webhook_id) => ({ company_id, webhook_id }));
  // By this process at once; what it has no place for, by whoever has one.
  const waiting = woken.filter((wakeup) => !courier.wake(wakeup));
  await wakeWebhooks(db.tenant(company_id).raw, waiting);
  for (const webhook_id of dispatched?.deactivated ?? []) {
    meter.deactivated('backlog');
    log.warn({ company_id, webhook_id, reason: 'backlog' }, 'webhook deactivated');
  }
  return dispatched;
}
