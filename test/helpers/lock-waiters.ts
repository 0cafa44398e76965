import type { TestDatabase } from './database.ts';

/** @returns how many statements wait for a lock, in this database only: other tests share the server */
export async function lockWaiters(database: Pick<TestDatabase, 'query'>): Promise<number> {
  const [row] = await database.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return row!.n as number;
}
