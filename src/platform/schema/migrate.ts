/**
 * Migrations: numbered SQL files, applied in order, each in a transaction of its own, forward only.
 *
 * An advisory lock makes it safe for any number of processes to start at once: one migrates, the others wait and then
 * find nothing left to do.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { openSession } from '../connection/open.ts';
import { changeTablesHere } from './citus.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Of the advisory lock that is held while the schema changes: any number that no other such lock of this database uses. */
export const migration_lock_key = 727_001;

/** A migration as this version has it. */
interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `sql`, in hex. */
  checksum: string;
}

/**
 * Brings the database at `url` up to date.
 * @returns the names of the files that were applied now
 * @throws when an applied file was edited since, is missing, or a statement fails (nothing of that file stays)
 */
export async function migrate(url: string): Promise<string[]> {
  const client = await openSession(url, { application_name: 'migrate' });
  try {
    await client.query('select pg_advisory_lock($1)', [migration_lock_key]);
    await changeTablesHere(client);
    return await applyMissing(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** All migrations of this version, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Creates the table in which applied migrations stand, unless it is there. */
export async function createMigrationTable(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`);
}

/** Runs one migration within a transaction of the caller's. */
export async function applyMigration(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(sql);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await createMigrationTable(client);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const migrations = await readMigrations();
  const names = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!names.has(name)) throw new Error(`the database has migration ${name}, which this version does not know`);
  }
  const done: string[] = [];
  for (const migration of migrations) {
    const { name, checksum } = migration;
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known) throw new Error(`migration ${name} was edited after it had been applied; add a new file instead`);
    await client.query('begin');
    try {
      await applyMigration(client, migration);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    done.push(name);
  }
  return done;
}
