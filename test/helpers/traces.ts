/** Searches everything that a service stores for a word. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestDatabase } from './database/database.ts';

interface StoredFile {
  name: string;
  bytes: Buffer;
}

/** Skips sealed columns. @returns files that contain one of the words, and tables with it in rows or planner statistics */
export async function findTraces(
  database: TestDatabase,
  words: string[],
  files: () => AsyncIterable<StoredFile>,
): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const inTables = tables.map(
    ({ name }) => `select '${name}' as name where exists (select from ${name} t where t::text ilike any($1))`,
  );
  const patterns = words.map((word) => `%${word}%`);
  const rows = await database.query<{ name: string }>(inTables.join(' union all '), [patterns]);
  const found = rows.map(({ name }) => name);
  const known = await database.query<{ name: string }>(
    `select distinct 'statistics of ' || tablename as name from pg_stats
     where concat_ws(' ', most_common_vals::text, histogram_bounds::text) ilike any($1)`,
    [patterns],
  );
  found.push(...known.map(({ name }) => name));
  for await (const { name, bytes } of files()) {
    if (words.some((word) => bytes.includes(word))) found.push(name);
  }
  return found;
}

export async function* filesIn(folder: string): AsyncIterable<StoredFile> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const { parentPath, name } = entry;
    if (entry.isFile()) yield { name, bytes: await readFile(join(parentPath, name)) };
  }
}
