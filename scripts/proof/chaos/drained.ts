// Waits, without intervening, until all pending work is done; fails after a time limit.
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptingBehaviors } from './receivers.ts';
import type { TrafficLog } from './traffic-log.ts';
import type { World } from './world.ts';

const pollIntervalMs = 250;
/** Jobs of a dead worker are unlocked after this time. */
const maxLockMs = 130_000;

interface Wait {
  label: string;
  /** Counts what is left. */
  sql: string;
  parameters?: unknown[];
}

/** @returns what it waited for, with the time until none was left */
export async function waitUntilDrained(
  world: World,
  trafficLog: TrafficLog,
  timeoutMs: number,
  log: (line: string) => void,
): Promise<{ label: string; ms: number }[]> {
  const healthy = world.receivers.all.filter(({ behavior, id }) => id && acceptingBehaviors.includes(behavior));
  const waits: Wait[] = [
    { label: 'events to be dispatched', sql: 'select count(*)::int as left from events where sequence is null' },
    { label: 'imports to be carried out', sql: 'select count(*)::int as left from imports where due_at is not null' },
    { label: 'exports to be made', sql: 'select count(*)::int as left from exports where due_at is not null' },
    {
      label: 'deliveries to receivers that are up',
      sql: `select count(*)::int as left from deliveries
            where status in ('pending', 'delivering') and webhook_id = any($1::uuid[])`,
      parameters: [healthy.map(({ id }) => id)],
    },
    {
      label: 'mails to be sent',
      sql: "select count(*)::int as left from graphile_worker.jobs where task_identifier = 'sendMail'",
    },
  ];
  if (timeoutMs > maxLockMs) {
    const sql = "select count(*)::int as left from graphile_worker.jobs where locked_at < now() - interval '5 s'";
    waits.push({ label: 'jobs that somebody holds', sql });
  }
  const startedMs = performance.now();
  const done = new Map<string, number>();
  let loggedMs = 0;
  for (;;) {
    const remaining: string[] = [];
    for (const { label, sql, parameters } of waits) {
      const [row] = await world.postgres.query<{ left: number }>(sql, parameters ?? []);
      if (row!.left === 0) done.set(label, done.get(label) ?? performance.now() - startedMs);
      else {
        done.delete(label);
        remaining.push(`${row!.left} ${label}`);
      }
    }
    const waitedMs = performance.now() - startedMs;
    if (remaining.length === 0) break;
    if (waitedMs > timeoutMs) {
      trafficLog.violation(`after ${Math.round(timeoutMs / 1_000)} s there are still ${remaining.join(', ')}`);
      break;
    }
    if (waitedMs - loggedMs > 10_000) {
      loggedMs = waitedMs;
      log(`${Math.round(waitedMs / 1_000)} s: ${remaining.join(', ')}`);
    }
    await sleep(pollIntervalMs);
  }
  return [...done].map(([label, ms]) => ({ label, ms }));
}
