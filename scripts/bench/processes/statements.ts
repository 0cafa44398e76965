/** Classifies statements of pg_stat_statements by purpose. */
import type pg from 'pg';

/** The first match counts. */
const purposes: [name: string, text: RegExp][] = [
  ['rate limits', /rate_limit_windows/],
  ['heartbeats of listeners', /^select \$?1$/i],
  ['polls and takes of jobs', /_private_jobs[\s\S]*for update|get_job/i],
  ['dispatch', /sequence is null|event_sequences|from "webhooks"/],
  ['upkeep, claims of deliveries', /worker_pools|pg_stat_user_tables|make_interval|overdue/],
];

export interface Work {
  calls: number;
  rows: number;
  ms: number;
}

export async function resetStatements(client: pg.Client): Promise<void> {
  await client.query('select pg_stat_statements_reset()');
}

export async function workByPurpose(client: pg.Client): Promise<Map<string, Work>> {
  const { rows } = await client.query<Work & { query: string }>(
    `select query, sum(calls)::float8 as calls, sum(rows)::float8 as rows, sum(total_exec_time) as ms
     from pg_stat_statements where query not like '%pg_stat_%statements%' group by query`,
  );
  const found = new Map<string, Work>([...purposes.map(([name]) => name), 'others'].map((name) => [name, none()]));
  for (const { query, ...work } of rows) {
    const name = purposes.find(([, text]) => text.test(query))?.[0] ?? 'others';
    const sum = found.get(name)!;
    sum.calls += work.calls;
    sum.rows += work.rows;
    sum.ms += work.ms;
  }
  return found;
}

const none = (): Work => ({ calls: 0, rows: 0, ms: 0 });
