import pg from 'pg';
import type { TestDatabase } from './database.ts';

/**
 * Holds the transaction that adds this person, once the row is written: others can't see it, but must wait for its unique values.
 * @returns a function that lets it commit
 */
export async function holdAdded({ url, query }: Pick<TestDatabase, 'url' | 'query'>, email: string) {
  const other = new pg.Client(url);
  await other.connect();
  await other.query('select pg_advisory_lock(2)');
  await query(`
    create or replace function hold_added() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(2);
      return null;
    end $$;
    create or replace trigger hold_added after insert on collaborators for each row
    when (new.email = '${email}') execute function hold_added()`);
  return () => other.end();
}
