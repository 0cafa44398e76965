/**
 * Takes a consistent backup of a running service: rows, queued jobs, and files as of one moment.
 *
 * The database comes first, in one snapshot (`repeatable read`), then the files. A file is stored before its row, so every row of
 * the snapshot has its file; and no file is removed during a backup (`platform/files/backup-lock.ts`). Files uploaded
 * meanwhile aren't in the snapshot and are left out.
 *
 * Rows are written by Postgres' COPY; the schema comes from the migrations, which the manifest lists. So a backup doesn't need
 * `pg_dump` in the server's version, and can be restored into any supported version of Postgres.
 */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { backupLockKey } from '../files/backup-lock.ts';
import type { Storage } from '../files/store/storage.ts';
import { requireOwn, storeId } from '../files/store/store-binding.ts';
import { tooOld } from '../schema/first-release.ts';
import { readMigrations } from '../schema/migrate.ts';
import { type EncryptionKeys, UnknownKey, vault } from '../secrets/secrets.ts';
import { connect, limitWaits, sqlRunnerOn } from './connection.ts';
import { BackupError, type Manifest, manifestHead, manifestName, type Part, writeManifest } from './manifest.ts';
import { columnsOf, namedObjects, queuedJobs, tableNames } from './tables.ts';
import { type BackupWriter, createBackup } from './write.ts';

/** Removing a file takes the lock briefly, another backup for its whole duration. */
const otherBackupWait = '2s';
const migrationWait = '30s';

export interface BackupOptions {
  url: string;
  storage: Storage;
  encryption_keys: EncryptionKeys;
  /** A new folder, or a file name ending with `.zip`. */
  target: string;
  onProgress: (percent: number, step: string) => void;
  /** Aborting removes the incomplete backup. */
  signal: AbortSignal;
}

/** @throws BackupError, and errors of the database, store, or disk; the incomplete backup is removed */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const lockLost = new AbortController();
  const signal = AbortSignal.any([options.signal, lockLost.signal]);
  const lock = await connect(options.url, 'backup', () =>
    lockLost.abort(
      new BackupError('the connection that protected the files from deletion was lost; take the backup again'),
    ),
  );
  try {
    await lockFiles(lock);
    await requireOwnStore(lock, options.storage);
    const writer = await createBackup(options.target).catch(unwritable(options.target));
    try {
      const manifest = await write(writer, { ...options, signal }, lock);
      signal.throwIfAborted();
      await writer.finish();
      return manifest;
    } catch (error) {
      await writer.abandon();
      throw signal.aborted ? signal.reason : onDisk(error) ? unwritable(options.target)(error as Error) : error;
    }
  } finally {
    await lock.end().catch(() => {});
  }
}

/** In another store, all files would count as missing. */
async function requireOwnStore(client: pg.Client, storage: Storage): Promise<void> {
  const { rows } = await client.query("select to_regclass('public.file_store') is not null as is_there");
  const own = rows[0].is_there ? await storeId(sqlRunnerOn(client)) : undefined;
  if (own) await requireOwn(own, storage);
}

async function write(writer: BackupWriter, options: BackupOptions, lock: pg.Client): Promise<Manifest> {
  const { storage, encryption_keys: encryptionKeys, signal, onProgress } = options;
  const snapshot = await connect(options.url, 'backup');
  let rows: Awaited<ReturnType<typeof writeRows>>;
  try {
    rows = await writeRows(writer, snapshot, await tableNames(lock), options);
  } finally {
    await snapshot.end().catch(() => {});
  }
  const { keys, ...head } = rows;
  const list: Part[] = [];
  const missing: string[] = [];
  for (const [done, key] of keys.entries()) {
    signal.throwIfAborted();
    onProgress(50 + (50 * done) / keys.length, `file ${done + 1} of ${keys.length}`);
    if ((await storage.size(key)) === undefined) missing.push(key);
    else list.push(await writer.add(`files/${key}`, await storage.read(key)));
  }
  const index = await writer.add('files.jsonl.gz', packedLines(list));
  const totalBytes = list.reduce((sum, { bytes }) => sum + bytes, 0);
  const files = { ...index, count: list.length, totalBytes, missing };
  const manifest: Manifest = { ...manifestHead(encryptionKeys), ...head, files };
  await writer.add(manifestName, Readable.from([Buffer.from(writeManifest(manifest, encryptionKeys))]));
  return manifest;
}

/** Copies the rows in one snapshot, and closes it before the files are copied: an open snapshot blocks vacuum and migrations. */
async function writeRows(writer: BackupWriter, client: pg.Client, names: string[], options: BackupOptions) {
  const { encryption_keys: encryptionKeys, signal, onProgress } = options;
  const list = names.map((name) => `public.${client.escapeIdentifier(name)}`).join(', ');
  if (list === '') throw new BackupError('the database is empty: there is nothing to back up');
  await client.query('begin isolation level repeatable read read only');
  await limitWaits(client, migrationWait);
  // Before the first query takes the snapshot, so that the schema stays as the snapshot sees it.
  await client.query(`lock table ${list}, public.schema_migrations in access share mode`);
  const { rows: snapshotInfo } = await client.query<{ taken_at: Date; postgres: string }>(
    `select clock_timestamp() as taken_at, current_setting('server_version') as postgres`,
  );
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  );
  const problem = tooOld('the data in this database were', migrations, await readMigrations());
  if (problem) throw new BackupError(problem);
  await checkKey(client, encryptionKeys);
  const tables: Manifest['tables'] = [];
  for (const [done, table] of names.entries()) {
    signal.throwIfAborted();
    onProgress((50 * done) / names.length, `table ${table}`);
    const columns = await columnsOf(client, table);
    const list = columns.map((name) => client.escapeIdentifier(name)).join(', ');
    const rows = client.query(copyTo(`copy (select ${list} from public.${client.escapeIdentifier(table)}) to stdout`));
    rows.on('error', () => {}); // it may fail before it is read; the reader gets the error
    const part = await writer.add(`tables/${table}.copy.gz`, packed(rows));
    tables.push({ ...part, table, columns, rows: rows.rowCount });
  }
  const queued = await queuedJobs(client);
  const jobs = { ...(await writer.add('jobs.jsonl.gz', packedLines(queued))), rows: queued.length };
  const keys = await namedObjects(client);
  await client.query('commit');
  const { taken_at: takenAt, postgres } = snapshotInfo[0]!;
  return { taken_at: takenAt.toISOString(), postgres, migrations, tables, jobs, keys };
}

/** Prevents the removal of files until the connection closes. Uses no snapshot, so that it doesn't block vacuum. */
async function lockFiles(client: pg.Client): Promise<void> {
  await client.query('begin');
  await limitWaits(client, otherBackupWait);
  await client.query('select pg_advisory_xact_lock($1)', [backupLockKey]).catch((error: { code?: string }) => {
    throw error.code === '55P03' ? new BackupError('another backup is being taken') : error;
  });
}

/** Checks now that the backup is usable with its key, rather than at restore. */
async function checkKey(client: pg.Client, encryptionKeys: EncryptionKeys): Promise<void> {
  const { rows } = await client.query<{ id: string; sealed: Buffer }>(
    'select id, private_jwk_encrypted as sealed from signing_keys where retired_at is null order by created_at desc limit 1',
  );
  try {
    const keys = vault(encryptionKeys, 'signing-keys');
    for (const { id, sealed } of rows) keys.open(sealed, ['signing_keys', 'private_jwk_encrypted', id]);
  } catch (error) {
    if (error instanceof UnknownKey)
      throw new BackupError('the database was written with another ENCRYPTION_KEY: set that key');
    throw new BackupError('the newest signing key was altered in the database: `key rotate` creates another');
  }
}

function packed(content: Readable): Readable {
  const gzip = createGzip();
  gzip.on('error', () => {}); // the reader gets the error, maybe later
  content.on('error', (error) => gzip.destroy(error));
  return content.pipe(gzip);
}

function packedLines(list: readonly unknown[]): Readable {
  return packed(Readable.from(list.map((each) => `${JSON.stringify(each)}\n`)));
}

function onDisk(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EFBIG|EIO|EROFS|EACCES|EPERM|ENOTDIR|ENOENT)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

function unwritable(target: string): (error: Error) => never {
  return (error) => {
    throw error instanceof BackupError
      ? error
      : new BackupError(`the backup can't be written to ${target}: ${error.message}`);
  };
}
