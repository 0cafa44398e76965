/** Backups and restores that fail: each reports why in one line and changes nothing. */

import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readManifest, writeManifest } from '../../../src/platform/backup/manifest.ts';
import { connectListener } from '../../../src/platform/notify/listen.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, start, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDocument, pdf } from '../../helpers/resources/documents.ts';

let app: TestApp;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A valid backup, as folder and as archive. */
let good: { folder: string; archive: string };
let sourceEnv: Record<string, string>;
let targetEnv: Record<string, string>;

beforeAll(async () => {
  [app, target, folder] = await Promise.all([testApp(), testDatabase(2, { template: 'template0' }), temporaryFolder()]);
  await addDocument(app, app.employee.collaborator_id);
  const { storage } = app.config;
  sourceEnv = {
    ...settings(folder.path, app.database.url),
    STORAGE_URL: `file:${storage.kind === 'local' && storage.folder}`,
  };
  targetEnv = { ...settings(folder.path, target.url), STORAGE_URL: `file:${join(folder.path, 'target-files')}` };
  good = { folder: join(folder.path, 'good'), archive: join(folder.path, 'good.zip') };
  for (const path of Object.values(good)) {
    expect(await runCli(['backup', path], sourceEnv)).toMatchObject({ code: 0 });
  }
});

afterAll(async () => {
  await app.close();
  await target.drop();
  await folder.remove();
});

const restore = (path: string, env: Record<string, string> = {}, more: string[] = []) =>
  runCli(['restore', path, ...more], { ...targetEnv, ...env });

async function isUntouched(): Promise<void> {
  const [row] = await target.query(
    `select to_regclass('public.companies') as companies, to_regnamespace('graphile_worker') as queue`,
  );
  expect(row).toEqual({ companies: null, queue: null });
}

/** The last line of stderr; progress comes before. */
function errorOf({ stderr }: { stderr: string }): string {
  return stderr.trim().split('\n').at(-1)!;
}

/** A copy of the valid folder, to corrupt. */
async function copy(): Promise<string> {
  const path = join(folder.path, 'damaged');
  await rm(path, { recursive: true, force: true });
  await cp(good.folder, path, { recursive: true });
  return path;
}

async function onlyFile(path: string): Promise<string> {
  const names = await readdir(join(path, 'files'), { recursive: true });
  return names.find((name) => /[0-9a-f]{40}$/.test(name))!;
}

describe('doesn’t restore', () => {
  afterEach(isUntouched);

  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    [
      'a table that was cut off',
      (path) => truncate(join(path, 'tables/collaborators.copy.gz'), 100),
      /damaged: tables\/collaborators\.copy\.gz: it has 100 bytes instead of \d+$/,
    ],
    [
      'a file with other bytes',
      async (path) => writeFile(join(path, 'files', await onlyFile(path)), Buffer.alloc(pdf.length)),
      /damaged: files\/\S+: its content has changed$/,
    ],
    [
      'an altered manifest',
      async (path) => {
        const text = await readFile(join(path, 'manifest.json'), 'utf8');
        await writeFile(join(path, 'manifest.json'), text.replace(/"rows": \d+/, '"rows": 999'));
      },
      /manifest\.json was changed after the backup was taken$/,
    ],
    [
      'one that an unpublished version took',
      async (path) => {
        const keys = app.config.encryption_keys;
        const manifest = readManifest(await readFile(join(path, 'manifest.json'), 'utf8'), keys);
        const migrations = [{ name: '0001_foundation.sql', checksum: 'a' }];
        await writeFile(join(path, 'manifest.json'), writeManifest({ ...manifest, migrations }, keys));
      },
      /the backup was created by an unpublished version before 1\.0\.0, the oldest supported one/,
    ],
    [
      'something else as manifest',
      (path) => writeFile(join(path, 'manifest.json'), '[]'),
      /manifest\.json is not the manifest of a backup$/,
    ],
    [
      'a later format',
      async (path) => {
        const text = await readFile(join(path, 'manifest.json'), 'utf8');
        await writeFile(join(path, 'manifest.json'), text.replace('"format": 1', '"format": 2'));
      },
      /the backup has format 2, and this version reads 1: use the version that wrote it, \d/,
    ],
  ])('%s', async (_, damage, message) => {
    const path = await copy();
    await damage(path);
    const ended = await restore(path);
    expect(ended.code).toBe(1);
    expect(errorOf(ended)).toMatch(/^error: /);
    expect(errorOf(ended)).toMatch(message);
  });

  test('a truncated archive', async () => {
    const path = join(folder.path, 'cut.zip');
    const bytes = await readFile(good.archive);
    await writeFile(path, bytes.subarray(0, bytes.length - 100));
    expect(errorOf(await restore(path))).toMatch(/^error: \S+cut\.zip is not a complete archive: /);
  });

  test('without the original key', async () => {
    const ended = await restore(good.folder, { ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') });
    expect(ended.code).toBe(1);
    expect(errorOf(ended)).toMatch(/^error: the backup was taken with another ENCRYPTION_KEY: /);
  });

  test('from a version with an unknown migration', async () => {
    const other = await testDatabase();
    await other.query(
      `insert into schema_migrations (name, checksum, works_from) values ('9999_later.sql', 'x', '0000')`,
    );
    const path = join(folder.path, 'later');
    const env = { ...sourceEnv, DATABASE_URL: other.url };
    expect(await runCli(['backup', path], env)).toMatchObject({ code: 0 });
    await other.drop();
    expect(errorOf(await restore(path))).toMatch(
      /with the migration 9999_later\.sql, which this version does not support/,
    );
  });

  test('from a missing path', async () => {
    expect(errorOf(await restore(join(folder.path, 'nowhere')))).toMatch(/^error: there is no backup at /);
  });

  test('over unrelated files', async () => {
    const STORAGE_URL = `file:${join(folder.path, 'foreign')}`;
    const key = `01994f7e-0b2c-7a65-9e18-c4d7205b8f13/documents/aa/${'a'.repeat(40)}`;
    await mkdir(join(folder.path, 'foreign', key, '..'), { recursive: true });
    await writeFile(join(folder.path, 'foreign', key), 'bytes');
    expect(errorOf(await restore(good.archive, { STORAGE_URL }))).toMatch(
      /^error: the storage has files that are not in/,
    );
  });

  test('into an unrelated database, even with --force', async () => {
    await target.query('create table poems (line text)');
    const ended = await restore(good.archive, {}, ['--force']);
    expect(errorOf(ended)).toMatch(/^error: the database has tables of another program/);
    await target.query('drop table poems');
  });
});

test('restores over data only with --force, not while the service runs, and an interrupted restore changes nothing', async () => {
  expect(await restore(good.folder)).toMatchObject({ code: 0 });
  const people = async () => (await target.query('select id, name from collaborators order by id')).length;
  const before = await people();
  expect(before).toBeGreaterThan(4);

  const refused = await restore(good.archive);
  expect(refused.code).toBe(1);
  expect(errorOf(refused)).toMatch(/^error: the database has companies or users: .*--force, which deletes everything/);

  await target.query(`delete from collaborator_history`);
  // As each process of the service has it, whatever the database URL names the others.
  const named = new URL(target.url);
  named.searchParams.set('application_name', 'people');
  const service = await connectListener(named.href, () => {});
  // Refused before it reads the whole backup.
  const { stderr } = await restore(good.archive, {}, ['--force']);
  expect(stderr.trim()).toBe('error: the service runs on this database: stop it first');
  await service.end();

  // Kill it in its transaction: another session locks a table that it has to replace.
  const holder = new pg.Client({ connectionString: target.url });
  await holder.connect();
  await holder.query('begin; lock table attempts');
  const running = start('src/cli.ts', ['restore', good.archive, '--force'], targetEnv);
  await eventually(async () => {
    const rows = await target.query(
      `select from pg_stat_activity where application_name = 'restore' and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });
  process.kill(running.pid, 'SIGKILL');
  await running.ended;
  await holder.end();
  const historyCount = async () => (await target.query('select from collaborator_history')).length;
  expect([await people(), await historyCount()]).toEqual([before, 0]);

  expect(await restore(good.archive, {}, ['--force'])).toMatchObject({ code: 0 });
  expect(await people()).toBe(before);
  expect(await historyCount()).toBeGreaterThan(0);
});

describe('doesn’t back up', () => {
  const backup = (path: string, env: Record<string, string> = {}) => runCli(['backup', path], { ...sourceEnv, ...env });

  test('to an existing path', async () => {
    expect(errorOf(await backup(good.folder))).toMatch(/^error: .*good already exists$/);
  });

  test('to a path that isn’t writable', async () => {
    const file = join(folder.path, 'a-file');
    await writeFile(file, '');
    const ended = await backup(join(file, 'backup'));
    expect(ended.code).toBe(1);
    expect(errorOf(ended)).toMatch(/^error: the backup can't be written to .*a-file\/backup: ENOTDIR/);
  });

  test('with a key other than the database’s', async () => {
    const path = join(folder.path, 'other-key');
    const ended = await backup(path, { ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') });
    expect(errorOf(ended)).toBe('error: the database was written with another ENCRYPTION_KEY: set that key');
    expect(await readdir(folder.path)).not.toContain('other-key.partial');
  });

  test('data of an unpublished version', async () => {
    const other = await testDatabase();
    await other.query(`update schema_migrations set checksum = 'draft'`);
    const ended = await backup(join(folder.path, 'draft'), { DATABASE_URL: other.url });
    expect(errorOf(ended)).toMatch(
      /^error: the data in this database were created by an unpublished version before 1\.0\.0/,
    );
    await other.drop();
  });

  test('to a full disk', async () => {
    // A file size limit makes a write fail midway, like a full disk.
    await addDocument(app, app.employee.collaborator_id, { file: Buffer.concat([pdf, Buffer.alloc(200_000, 'x')]) });
    const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
    const path = join(folder.path, 'full.zip');
    const script = `trap '' XFSZ; ulimit -f 100; exec "$0" "$1" backup "$2"`;
    const child = spawn('sh', ['-c', script, process.execPath, cli, path], {
      env: { PATH: process.env.PATH, ...sourceEnv },
    });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(errorOf({ stderr })).toMatch(/^error: the backup can't be written to .*full\.zip: EFBIG/);
    expect(code).toBe(1);
    const leftovers = (await readdir(folder.path)).filter((each) => each.startsWith('full'));
    expect(leftovers).toEqual([]);
  });

  test('while another backup runs; a killed one leaves nothing that counts as a backup or blocks the next', async () => {
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    await holder.query('begin; lock table deliveries');
    const path = join(folder.path, 'killed');
    const running = start('src/cli.ts', ['backup', path], sourceEnv);
    await eventually(async () => expect(await readdir(folder.path)).toContain('killed.partial'));
    const second = await backup(join(folder.path, 'second'));
    expect(errorOf(second)).toBe('error: another backup is being taken');
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
    await holder.end();
    expect(await readdir(folder.path)).not.toContain('killed');
    expect(errorOf(await restore(`${path}.partial`))).toMatch(/damaged: manifest\.json/);
    expect(await backup(path)).toMatchObject({ code: 0 });
    expect(await readdir(folder.path)).not.toContain('killed.partial');
  });
});
