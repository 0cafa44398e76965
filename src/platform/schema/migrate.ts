/** Migrations: numbered SQL files, applied in order, forward only. An advisory lock makes concurrent starts safe. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { connected, openSession } from '../connection/open.ts';
import { changeTablesAnywhere, changeTablesHere, isDistributed } from './citus.ts';
import { placeNewTables } from './distribute.ts';
import { tooOld } from './first-release.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Key of the advisory lock held during migrations: any number that no other lock of this database uses. */
export const migrationLockKey = 727_001;

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `sql`, in hex. */
  checksum: string;
  /** The oldest migration that code must know to work with this one; `0000` for any code. */
  works_from: string;
}

/** Old code runs beside new code in a rolling update, and after a rollback. A migration that breaks it starts with this line. */
const restriction = /^-- Needs code that has (\d{4})\b/m;

/**
 * Migrates the database at `url`.
 * @returns the names of the files applied now
 * @throws before any change if the database is from an unpublished version, an applied file was edited since, or a newer version
 * has applied an incompatible migration; also if a statement fails (its file is rolled back)
 */
export async function migrate(url: string): Promise<string[]> {
  return connected(openSession(url, { application_name: 'migrate' }), (client) => migrateBy(client));
}

/** The same on an existing connection, which is left as it was. */
export async function migrateBy(client: pg.Client, migrations?: readonly Migration[]): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [migrationLockKey]);
  try {
    await changeTablesHere(client);
    return await applyMissing(client, migrations ?? (await readMigrations()));
  } finally {
    await changeTablesAnywhere(client).catch(() => {}); // a lost connection has neither the setting nor the lock
    await client.query('select pg_advisory_unlock($1)', [migrationLockKey]).catch(() => {});
  }
}

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

export async function createMigrationTable(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now(), works_from text not null)`);
}

/** Runs one migration within the caller's transaction. */
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
    if (known) throw new Error(`migration ${name} was edited after it was applied; add a new file instead`);
    await client.query('begin');
    try {
      // On a cluster, foreign keys between the tables require changes on one machine after the other.
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

/** As recorded in the database. */
type Applied = Omit<Migration, 'sql'>;

/** Doesn't select `works_from`, which some unpublished versions didn't have. */
async function refuseTooOld(client: pg.Client, known: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<Pick<Applied, 'name' | 'checksum'>>(
    'select name, checksum from schema_migrations',
  );
  const problem = tooOld('the data in this database were', rows, known);
  if (problem) throw new Error(problem);
}

/** @throws when a newer version has applied an incompatible migration */
function refuseTooNew(applied: readonly Applied[], known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const newest = known.at(-1)!.name.slice(0, 4);
  for (const { name, works_from: worksFrom } of applied) {
    if (names.has(name) || worksFrom <= newest) continue;
    throw new Error(`the database has migration ${name}, which this version does not support`);
  }
}
