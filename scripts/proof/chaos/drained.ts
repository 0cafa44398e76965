// After the traffic: nobody helps, and within a bound everything that was begun is done.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { takes_everything } from './receivers.ts';
import type { World } from './world.ts';

const look_every_ms = 250;
/** After which the jobs of a dead worker are freed. */
const longest_lock_ms = 130_000;

interface Wait {
  what: string;
  /** How many are left. */
  sql: string;
  parameters?: unknown[];
}

/** @returns what was waited for, with the time until none was left */
export async function waitUntilDrained(
  world: World,
  ledger: Ledger,
  timeout_ms: number,
  tell: (line: string) => void,
): Promise<{ what: string; ms: number }[]> {
  const healthy = world.receivers.all.filter(({ behaviour, id }) => id && takes_everything.includes(behaviour));
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
  if (timeout_ms > longest_lock_ms) {
    const sql = "select count(*)::int as left from graphile_worker.jobs where locked_at < now() - interval '5 s'";
    waits.push({ what: 'jobs that somebody holds', sql });
  }
  const started_ms = performance.now();
  const done = new Map<string, number>();
  let told_ms = 0;
  for (;;) {
    const left: string[] = [];
    for (const { what, sql, parameters } of waits) {
      const [row] = await world.postgres.query<{ left: number }>(sql, parameters ?? []);
      if (row!.left === 0) done.set(what, done.get(what) ?? performance.now() - started_ms);
      else {
        done.delete(what);
        left.push(`${row!.left} ${what}`);
      }
    }
    const waited_ms = performance.now() - started_ms;
    if (left.length === 0) break;
    if (waited_ms > timeout_ms) {
      ledger.violation(`after ${Math.round(timeout_ms / 1_000)} s there are still ${left.join(', ')}`);
      break;
    }
    if (waited_ms - told_ms > 10_000) {
      told_ms = waited_ms;
      tell(`${Math.round(waited_ms / 1_000)} s: ${left.join(', ')}`);
    }
    await sleep(look_every_ms);
  }
  return [...done].map(([what, ms]) => ({ what, ms }));
}
