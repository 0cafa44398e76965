/**
 * Restores a backup into a database and a store, and verifies that it is complete.
 *
 * All parts are verified before anything is written. Then come the files, and then the rows, in one transaction with the backup's
 * schema. A failure leaves the database unchanged, and at most files that no row refers to.
 */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isUnfinished, partsOfKey, type Storage } from '../files/store/storage.ts';
import { adopt } from '../files/store/store-binding.ts';
import { changeTablesHere, isDistributed } from '../schema/citus.ts';
import { distribute } from '../schema/distribute.ts';
import { tooOld } from '../schema/first-release.ts';
import { applyMigration, createMigrationTable, migrate, migrationLockKey, readMigrations } from '../schema/migrate.ts';
import { migrateQueue } from '../schema/migrate-queue.ts';
import type { EncryptionKeys } from '../secrets/secrets.ts';
import { connect, limitWaits, sqlRunnerOn } from './connection.ts';
import { BackupError, type Manifest, manifestName, type Part, readManifest } from './manifest.ts';
import { type BackupReader, checkPart, openBackup, readLines, readWhole } from './read.ts';
import { dropIndexes, inKeyOrder, namedObjects, type QueuedJob, replaceJobs } from './tables.ts';

const lockTimeout = '10s';
const lookupsAtOnce = 20;
const indexMemory = '256MB';

interface RestoreOptions {
  url: string;
  storage: Storage;
  encryption_keys: EncryptionKeys;
  /** The backup. */
  source: string;
  /** Whether existing data is deleted, and the store may contain other files. */
  force: boolean;
  onProgress: (percent: number, step: string) => void;
  /** Aborting leaves the database unchanged. */
  signal: AbortSignal;
}

interface Restored {
  manifest: Manifest;
  /** Migrations newer than the backup. */
  migrated: string[];
  /** Whether the tables were distributed over a cluster, and are again. */
  distributed: boolean;
}

/** @throws BackupError, and errors of the database and the store; the database is unchanged */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const reader = await openBackup(options.source);
  try {
    const manifest = readManifest(await readWhole(reader, manifestName), options.encryption_keys);
    await checkMigrations(manifest);
    // Before the parts are read, which takes long for a large backup.
    await inTransaction(options.url, (client) => checkDatabase(client, options));
    const files = await checkParts(reader, manifest, options);
    await checkStorage(options, new Set(files.map(keyOf)));
    await migrateQueue(options.url);
    let distributed = false;
    await inTransaction(options.url, async (client) => {
      distributed = await isDistributed(client);
      await checkDatabase(client, options); // a service may have been started since
      await writeFiles(reader, files, options);
      await replaceSchema(client, manifest);
      await writeRows(client, reader, manifest, options);
      await checkObjects(client, manifest, options.storage);
      options.signal.throwIfAborted();
    });
    const migrated = await migrate(options.url);
    if (distributed) await redistribute(options.url);
    await finish(options);
    return { manifest, migrated, distributed };
  } finally {
    await reader.close();
  }
}

async function checkMigrations({ migrations, version }: Manifest): Promise<void> {
  const all = await readMigrations();
  const problem = tooOld('the backup was', migrations, all);
  if (problem) throw new BackupError(problem);
  const known = new Map(all.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (known.get(name) === checksum) continue;
    const reason = known.has(name) ? 'has with different content' : 'does not support';
    throw new BackupError(
      `the backup was taken by version ${version} with the migration ${name}, which this version ${reason}: use that version or a later one`,
    );
  }
}

/** Verifies every part. @returns the files */
async function checkParts(reader: BackupReader, manifest: Manifest, options: RestoreOptions): Promise<Part[]> {
  const parts: Part[] = [manifest.files, manifest.jobs, ...manifest.tables];
  for (const part of parts) await checkPart(reader, part);
  const files: Part[] = [];
  for await (const file of readLines<Part>(reader, manifest.files.name)) {
    if (!partsOfKey(keyOf(file)))
      throw new BackupError(`the backup is damaged: ${file.name} is not the name of a file`);
    options.signal.throwIfAborted();
    options.onProgress((30 * files.length) / manifest.files.count, `checking file ${files.length + 1}`);
    await checkPart(reader, file);
    files.push(file);
  }
  return files;
}

async function checkDatabase(client: pg.Client, { force }: RestoreOptions): Promise<void> {
  const { rows: others } = await client.query(`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'collaborator-api%' and state is not null limit 1`);
  if (others.length > 0) throw new BackupError('the service runs on this database: stop it first');
  const { rows: known } = await client.query<{ ours: boolean; tables: boolean }>(`
    select to_regclass('public.schema_migrations') is not null as ours,
      exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')) as tables`);
  if (known[0]!.tables && !known[0]!.ours) {
    throw new BackupError('the database has tables of another program: restore into a separate database');
  }
  if (!force && known[0]!.ours && (await hasData(client))) {
    throw new BackupError(
      'the database has companies or users: restore into an empty one, or use --force, which deletes everything in it',
    );
  }
}

async function checkStorage({ force, storage }: RestoreOptions, keys: ReadonlySet<string>): Promise<void> {
  if (force) return;
  for await (const { key } of storage.list()) {
    if (keys.has(key) || isUnfinished(key)) continue;
    if (!partsOfKey(key)) continue; // the service ignores it too
    throw new BackupError(
      'the storage has files that are not in this backup, perhaps of a running service. Within an hour of starting, the restored service would delete them. Set STORAGE_URL to empty storage, or allow it with --force',
    );
  }
}

async function hasData(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest(array['companies', 'users']) name where to_regclass('public.' || name) is not null`,
  );
  for (const { name } of rows) {
    if ((await client.query(`select from public.${name} limit 1`)).rows.length > 0) return true;
  }
  return false;
}

async function writeFiles(reader: BackupReader, files: Part[], { storage, signal, onProgress }: RestoreOptions) {
  for (const [done, file] of files.entries()) {
    signal.throwIfAborted();
    onProgress(30 + (30 * done) / files.length, `file ${done + 1} of ${files.length}`);
    await storage.put(keyOf(file), await reader.part(file.name));
  }
}

/** Recreates the backup's tables, empty. */
async function replaceSchema(client: pg.Client, { migrations }: Manifest): Promise<void> {
  // On a cluster, foreign keys require dropping on one machine after the other; elsewhere the setting has no effect.
  await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
  await client
    .query(`
      do $$ declare found record; begin
        for found in
          select format('table if exists public.%I', c.relname) as what from pg_class c
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
          union all
          select 'function if exists ' || p.oid::regprocedure from pg_proc p
          where p.pronamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        loop
          execute format('drop %s cascade', found.what);
        end loop;
      end $$`)
    .catch((error: { code?: string }) => {
      throw error.code === '55P03' ? new BackupError('another program uses the database: stop it first') : error;
    });
  await changeTablesHere(client); // nothing is distributed now
  await createMigrationTable(client);
  const names = new Set(migrations.map(({ name }) => name));
  for (const migration of await readMigrations())
    if (names.has(migration.name)) await applyMigration(client, migration);
}

async function writeRows(client: pg.Client, reader: BackupReader, manifest: Manifest, options: RestoreOptions) {
  const parts = new Map(manifest.tables.map((part) => [part.table, part]));
  const order = await inKeyOrder(client, [...parts.keys()]);
  const indexes = await dropIndexes(client);
  for (const [done, table] of order.entries()) {
    options.signal.throwIfAborted();
    options.onProgress(60 + (20 * done) / order.length, `table ${table}`);
    const { name, columns, rows } = parts.get(table)!;
    const into = `public.${client.escapeIdentifier(table)}`;
    const { rows: seeded } = await client.query(`select from ${into} limit 1`); // rows inserted by a migration
    if (seeded.length > 0) await client.query(`delete from ${into}`);
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const copy = client.query(copyFrom(`copy ${into} (${list}) from stdin`));
    await pipeline(await reader.part(name), createGunzip(), copy);
    const { rows: counted } = await client.query<{ rows: number }>(`select count(*)::int as rows from ${into}`);
    if (counted[0]!.rows !== rows) {
      throw new BackupError(`${table} has ${counted[0]!.rows} rows after restoring ${rows}: nothing was changed`);
    }
  }
  for (const [done, statement] of indexes.entries()) {
    options.signal.throwIfAborted();
    options.onProgress(80 + (20 * done) / indexes.length, `index ${done + 1} of ${indexes.length}`);
    await client.query(statement);
  }
  const jobs: QueuedJob[] = [];
  for await (const job of readLines<QueuedJob>(reader, manifest.jobs.name)) jobs.push(job);
  await replaceJobs(client, jobs);
}

/** Every row's file must exist, unless it was already missing in the backup. */
async function checkObjects(client: pg.Client, { files }: Manifest, storage: Storage): Promise<void> {
  const missing = new Set(files.missing);
  const keys = (await namedObjects(client)).filter((key) => !missing.has(key));
  for (let i = 0; i < keys.length; i += lookupsAtOnce) {
    const batch = keys.slice(i, i + lookupsAtOnce);
    const sizes = await Promise.all(batch.map((key) => storage.size(key)));
    const missingKey = batch.find((_, at) => sizes[at] === undefined);
    if (missingKey) throw new BackupError(`the file ${missingKey} is referenced but missing: nothing was changed`);
  }
}

async function inTransaction(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connect(url, 'restore');
  try {
    await client.query('begin');
    await limitWaits(client, lockTimeout);
    await client.query(`set local maintenance_work_mem = '${indexMemory}'`);
    await client.query('select pg_advisory_xact_lock($1)', [migrationLockKey]);
    await work(client);
    await client.query('commit');
  } finally {
    await client.end().catch(() => {}); // rolls back if there was no commit
  }
}

async function redistribute(url: string): Promise<void> {
  try {
    await distribute(url);
  } catch (error) {
    throw new BackupError(
      `everything is restored, but only on the coordinator: run "database distribute" (${(error as Error).message})`,
      { cause: error },
    );
  }
}

/** Gives the store a new mark, because the original database may still exist with its store. Updates planner statistics. */
async function finish({ url, storage }: RestoreOptions): Promise<void> {
  const client = await connect(url, 'restore');
  try {
    await adopt(sqlRunnerOn(client), storage);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

function keyOf({ name }: Part): string {
  return name.slice('files/'.length);
}
