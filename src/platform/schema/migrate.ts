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
import { connected, openSession } from '../connection/open.ts';
import { changeTablesAnywhere, changeTablesHere, isDistributed } from './citus.ts';
import { placeNewTables } from './distribute.ts';
import { tooOld } from './first-release.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Of the advisory lock that is held while the schema changes: any number that no other such lock of this database uses. */
export const migrationLockKey = 727_001;

/** A migration as this version has it. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `sql`, in hex. */
  checksum: string;
  /** The number of the migration that code has to know to work on a database with this one; `0000` for any code. */
  works_from: string;
}

/**
 * A migration leaves the database fit for code that does not know it: that code runs beside the new one while processes are
 * replaced, and again when the version is gone back. One that takes away what older code still used begins with this line.
 */
const restriction = /^-- Needs code that has (\d{4})\b/m;

/**
 * Brings the database at `url` up to date.
 * @returns the names of the files that were applied now
 * @throws before anything is changed, when an unpublished version made it, when an applied file was edited since, or when a newer
 *   version has applied one that this code can't work with; and when a statement fails (nothing of that file stays)
 */
export async function migrate(url: string): Promise<string[]> {
  return connected(openSession(url, { application_name: 'migrate' }), (client) => migrateBy(client));
}

/**
 * The same on a connection that is there, and is as it was afterwards.
 * @param migrations of this version, in their order
 */
export async function migrateBy(client: pg.Client, migrations?: readonly Migration[]): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [migrationLockKey]);
  try {
    await changeTablesHere(client);
    return await applyMissing(client, migrations ?? (await readMigrations()));
  } finally {
    await changeTablesAnywhere(client).catch(() => {}); // a connection that is lost has neither any more
    await client.query('select pg_advisory_unlock($1)', [migrationLockKey]).catch(() => {});
  }
}

/** All migrations of this version, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const worksFrom = restriction.exec(sql)?.[1] ?? '0000';
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), works_from: worksFrom };
    }),
  );
}

/** Creates the table in which applied migrations stand, unless it is there. */
export async function createMigrationTable(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now(), works_from text not null)`);
}

/** Runs one migration within a transaction of the caller's. */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql, checksum, works_from: worksFrom } = migration;
  await client.query(sql);
  await client.query('insert into schema_migrations (name, checksum, works_from) values ($1, $2, $3)', [
    name,
    checksum,
    worksFrom,
  ]);
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await createMigrationTable(client);
  await refuseTooOld(client, migrations);
  const { rows } = await client.query<Applied>('select name, checksum, works_from from schema_migrations');
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  refuseTooNew(rows, migrations);
  const distributed = await isDistributed(client);
  const done: string[] = [];
  for (const migration of migrations) {
    const { name, checksum } = migration;
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known) throw new Error(`migration ${name} was edited after it had been applied; add a new file instead`);
    await client.query('begin');
    try {
      // On a cluster, tables and the keys between them change on one machine after the other.
      if (distributed) await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
      await applyMigration(client, migration);
      if (distributed) await placeNewTables(client);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    done.push(name);
  }
  return done;
}

/** As the database has it. */
type Applied = Omit<Migration, 'sql'>;

/** Without `works_from`, which some unpublished versions did not have. */
async function refuseTooOld(client: pg.Client, known: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<Pick<Applied, 'name' | 'checksum'>>(
    'select name, checksum from schema_migrations',
  );
  const problem = tooOld('the data in this database were', rows, known);
  if (problem) throw new Error(problem);
}

/** @throws when a newer version has applied a migration that this code can't work with */
function refuseTooNew(applied: readonly Applied[], known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const newest = known.at(-1)!.name.slice(0, 4);
  for (const { name, works_from: worksFrom } of applied) {
    if (names.has(name) || worksFrom <= newest) continue;
    throw new Error(`the database has migration ${name}, which this version does not know and can not work with`);
  }
}
