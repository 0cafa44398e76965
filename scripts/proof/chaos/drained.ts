// Waits, without intervening, until all pending work is done; fails after a time limit.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { takesEverything } from './receivers.ts';
import type { World } from './world.ts';

const lookEveryMs = 250;
/** Jobs of a dead worker are unlocked after this time. */
const maxLockMs = 130_000;

interface Wait {
  what: string;
  /** Counts what is left. */
  sql: string;
  parameters?: unknown[];
}

/** @returns what it waited for, with the time until none was left */
export async function waitUntilDrained(
  world: World,
  ledger: Ledger,
  timeoutMs: number,
  tell: (line: string) => void,
): Promise<{ what: string; ms: number }[]> {
  const healthy = world.receivers.all.filter(({ behavior, id }) => id && takesEverything.includes(behavior));
  const waits: Wait[] = [
    { what: 'events to be dispatched', sql: 'select count(*)::int as left from events where sequence is null' },
    { what: 'imports to be carried out', sql: 'select count(*)::int as left from imports where due_at is not null' },
    { what: 'exports to be made', sql: 'select count(*)::int as left from exports where due_at is not null' },
    {
      what: 'deliveries to receivers that are up',
      sql: `select count(*)::int as left from deliveries
            where status in ('pending', 'delivering') and webhook_id = any($1::uuid[])`,
      parameters: [healthy.map(({ id }) => id)],
    },
    {
      what: 'mails to be sent',
      sql: "select count(*)::int as left from graphile_worker.jobs where task_identifier = 'sendMail'",
    },
  ];
  if (timeoutMs > maxLockMs) {
    const sql = "select count(*)::int as left from graphile_worker.jobs where locked_at < now() - interval '5 s'";
    waits.push({ what: 'jobs that somebody holds', sql });
  }
  const startedMs = performance.now();
  const done = new Map<string, number>();
  let toldMs = 0;
  for (;;) {
    const left: string[] = [];
    for (const { what, sql, parameters } of waits) {
      const [row] = await world.postgres.query<{ left: number }>(sql, parameters ?? []);
      if (row!.left === 0) done.set(what, done.get(what) ?? performance.now() - startedMs);
      else {
        done.delete(what);
        left.push(`${row!.left} ${what}`);
      }
    }
    const waitedMs = performance.now() - startedMs;
    if (left.length === 0) break;
    if (waitedMs > timeoutMs) {
      ledger.violation(`after ${Math.round(timeoutMs / 1_000)} s there are still ${left.join(', ')}`);
      break;
    }
    if (waitedMs - toldMs > 10_000) {
      toldMs = waitedMs;
      tell(`${Math.round(waitedMs / 1_000)} s: ${left.join(', ')}`);
    }
    await sleep(lookEveryMs);
  }
  return [...done].map(([what, ms]) => ({ what, ms }));
}
