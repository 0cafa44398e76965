import pg from 'pg';
import type { TestDatabase } from './database.ts';

/**
 * Holds whoever writes this person, in a transaction of their own.
 * @param moment `after insert`: others can't see the row, but must wait for its unique values
 * @returns a function that lets them continue
 */
export async function holdWrites(
  { url, query }: Pick<TestDatabase, 'url' | 'query'>,
  moment: 'before insert or update' | 'after insert',
  email: string,
): Promise<() => Promise<void>> {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('select pg_advisory_lock(1)');
  await query(`
    create or replace function hold() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(1);
      return new;
    end $$;
    create or replace trigger hold ${moment} on collaborators for each row
    when (new.email = '${email}') execute function hold()`);
  return () => holder.end();
}
