// Drops indexes while filling tables: building them afterwards takes a third of the time.
import type pg from 'pg';

interface Index {
  name: string;
  definition: string;
}

interface DroppedIndexes {
  indexes: Index[];
  /** Foreign keys. */
  keys: { table: string; name: string; definition: string }[];
}

/** Drops the indexes of these tables except primary keys, and their foreign keys. @returns what it dropped */
export async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<DroppedIndexes> {
  const { rows: indexes } = await client.query<Index>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any($1::regclass[]) and not i.indisprimary
     order by pg_get_indexdef(i.indexrelid) !~ 'USING gin'`,
    [tables],
  );
  const { rows: keys } = await client.query<DroppedIndexes['keys'][number]>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return { indexes, keys };
}

/** Largest first, because it needs most sort space. @returns build time by index, in seconds */
export async function restoreIndexes(
  client: pg.Client,
  { indexes, keys }: DroppedIndexes,
): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const { name, definition } of indexes) {
    const started = performance.now();
    await client.query(definition);
    seconds.set(name, (performance.now() - started) / 1000);
  }
  for (const { table, name, definition } of keys) {
    // `not valid` skips the check: the generated rows satisfy the constraints.
    await client.query(`alter table ${table} add constraint ${name} ${definition} not valid`);
  }
  return seconds;
}
