/**
 * Dispatches new events after their commit, woken by NOTIFY, and by polling in case a notification was lost. It isn't a job,
 * because an event without a number is pending by itself.
 *
 * Only three workers listen, because each notification goes to every listener, and only one worker at a time can dispatch a
 * company. When more is pending than three can handle, the others help by polling.
 */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { validate } from 'uuid';
import type { Database } from '../platform/db/client.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import { listenForNotifications, type WakeupListener } from '../platform/notify/notifications.ts';
import type { Logger } from '../platform/observe/log.ts';
import { createRepeatedWarning } from '../platform/observe/repeated-warning.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { DeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { companiesWithEvents, dispatchEvents } from '../product/delivery/dispatch.ts';
import type { Turns } from '../product/delivery/running-turns.ts';
import { turnsChannel } from './turns-runner.ts';
import type { WorkerRank } from './worker-rank.ts';

const companiesAtOnce = 4;
const maxCompanies = 200;
const listeningWorkers = 3;
/** Pause when another process has a company's lock. */
const busyPauseMs = 20;
/** A slow search for companies is repeated less often, so that it takes at most a twentieth of the database's time. */
const restFactor = 20;

interface Dispatcher {
  stop(): Promise<void>;
}

interface DispatcherOptions {
  url: string;
  pool: Pool;
  db: Database;
  mail: MailQueue;
  quotas: Quotas;
  meter: DeliveryMeter;
  turns: Turns;
  poll_ms: number;
  peers: WorkerRank;
  log: Logger;
}

export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { url, pool, db, poll_ms: pollMs, peers, log } = options;
  const stopping = new AbortController();
  let listener: WakeupListener | undefined;
  const queue = queueOf(options, { stopping: stopping.signal, isNotified: () => listener !== undefined });
  let missed = false;
  let endPause: (() => void) | undefined;
  const wake = (companyId?: string) => {
    listenWarning.ended();
    if (validate(companyId)) return queue.add(companyId!);
    missed = true;
    endPause?.();
  };
  const listenWarning = createRepeatedWarning(log, 'not listening for events');
  const dispatchWarning = createRepeatedWarning(log, "events can't be dispatched yet");
  const listenIfFirst = async () => {
    if (peers.isAmongFirst(listeningWorkers)) {
      listener ??= listenForNotifications({ url, channel: 'events', onWakeup: wake, onError: listenWarning.failed });
    } else {
      await listener?.close();
      listener = undefined;
    }
  };
  const poll = async (): Promise<number> => {
    await listenIfFirst();
    const startedMs = performance.now();
    const found = await companiesWithEvents({ pool, machines: db.machines }, maxCompanies);
    for (const companyId of found) queue.add(companyId);
    const minMs = restFactor * (performance.now() - startedMs);
    // Jitter keeps workers from polling simultaneously.
    return Math.max(minMs, found.length < maxCompanies ? pollMs * (0.75 + Math.random() / 2) : busyPauseMs);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      missed = false;
      const pauseMs = await poll().then(
        (ms) => {
          dispatchWarning.ended();
          return ms;
        },
        (error: Error) => {
          dispatchWarning.failed(error);
          return pollMs;
        },
      );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, missed ? 0 : pauseMs);
        endPause = () => {
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
  /** Whether this process is notified of each event; others aren't, and may hold a company's lock while one is written. */
  isNotified(): boolean;
}

function queueOf(options: DispatcherOptions, { stopping, isNotified }: QueueOptions) {
  const { poll_ms: pollMs, log } = options;
  const waiting = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  const resting = new Set<string>();
  const next = () => {
    for (const companyId of waiting) {
      if (stopping.aborted || underWay.size >= companiesAtOnce) return;
      if (underWay.has(companyId) || resting.has(companyId)) continue;
      waiting.delete(companyId);
      underWay.set(companyId, one(companyId));
    }
  };
  const add = (companyId: string) => {
    waiting.add(companyId);
    next();
  };
  const rest = (companyId: string, ms: number) => {
    resting.add(companyId);
    const end = () => {
      resting.delete(companyId);
      add(companyId);
    };
    setTimeout(end, ms).unref();
  };
  const one = async (companyId: string) => {
    try {
      const dispatched = await dispatch(options, companyId);
      if (dispatched?.more) waiting.add(companyId);
      else if (!dispatched && isNotified()) rest(companyId, busyPauseMs);
    } catch (error) {
      // Its machine of a cluster may be down. An error of one company must not delay the others.
      rest(companyId, pollMs);
      log.warn({ err: error, company_id: companyId }, "events of a company can't be dispatched yet");
    }
    underWay.delete(companyId);
    next();
  };
  return {
    add,
    async ended() {
      await Promise.all(underWay.values());
    },
  };
}

async function dispatch(options: DispatcherOptions, companyId: string) {
  const { db, mail, quotas, turns, meter, log } = options;
  const dispatched = await dispatchEvents({ db, mail, quotas }, companyId);
  const runningElsewhere = (dispatched?.running ?? []).filter((id) => !turns.nudge(id));
  if (runningElsewhere.length > 0) await announceTurns(db, runningElsewhere);
  for (const webhookId of dispatched?.deactivated ?? []) {
    meter.deactivated('backlog');
    log.warn({ company_id: companyId, webhook_id: webhookId, reason: 'backlog' }, 'webhook deactivated');
  }
  return dispatched;
}

/** Wakes turns in other processes immediately; otherwise they look a second later. */
async function announceTurns(db: Database, webhookIds: readonly string[]): Promise<void> {
  await sql`select pg_notify(${turnsChannel}, id) from unnest(${webhookIds}::text[]) as id`.execute(db.global);
}
