// Samples every ten seconds: memory and handles of each process, connections, and the size of every table.
import { readdir } from 'node:fs/promises';
import type { World } from '../chaos/world.ts';
import type { ResourceUsage } from './probe.ts';

export interface Sample {
  atMs: number;
  /** By name, which includes the unit. */
  values: Map<string, number>;
}

const mb = 1_048_576;

export async function takeSample({ api, workers, postgres }: World, atMs: number): Promise<Sample> {
  const values = new Map<string, number>();
  for (const each of [...api, ...workers]) {
    const usage = (await each.query()) as ResourceUsage | undefined;
    if (!usage) continue;
    values.set(`${each.name} heap after GC, MB`, usage.heapUsedBytes / mb);
    values.set(`${each.name} external, MB`, usage.externalBytes / mb);
    values.set(`${each.name} RSS, MB`, usage.rssBytes / mb);
    values.set(`${each.name} active resources`, usage.resources);
    const files = await readdir(`/proc/${each.pid}/fd`).catch(() => undefined); // Linux only
    if (files) values.set(`${each.name} file descriptors`, files.length);
  }
  const [found] = await postgres.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name <> 'chaos'`,
  );
  values.set('connections to Postgres', found!.connections);
  const tables = await postgres.query<{ name: string; bytes: number; live: number; dead: number }>(
    `select case schemaname when 'public' then relname else schemaname || '.' || relname end as name,
       pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as live, n_dead_tup::float8 as dead
     from pg_stat_user_tables order by 1`,
  );
  for (const { name, bytes, live, dead } of tables) {
    values.set(`table ${name}, MB`, bytes / mb);
    values.set(`table ${name}, rows`, live);
    values.set(`table ${name}, dead rows`, dead);
  }
  return { atMs, values };
}
