/** Exports from a real replica: never older than the request, and tolerant of its loss. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { copyForStandby, startStandby } from '../../helpers/database/standby.ts';
import { column, csvOf, runExport } from '../../helpers/resources/exports.ts';

const waitMs = 3_000;
let folder: string;
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replica-'));
  primary = await startEmbedded(join(folder, 'primary'));
  await prepareDatabase({ url: primary.url, pooled: false, statementTimeoutMs: 15_000 }, migrateQueue);
  await primary.stop();
  await copyForStandby(join(folder, 'primary'), join(folder, 'standby'));
  primary = await startEmbedded(join(folder, 'primary'));
  standby = await startStandby(join(folder, 'standby'), primary.url);
  const replica = { url: standby.url, waitMs };
  app = await testApp(
    {},
    openTestDatabase(primary.url, 10, async () => {}, { replica }),
  );
});
afterAll(async () => {
  await app.close();
  await standby.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

const add = (email: string) =>
  app.admin.post('/v1/collaborators', { name: 'New', email, position: 'x', department: 'y' }).expect(201);

/** Emails in an export that is created within the request. */
const addresses = async () => column(csvOf(await runExport(app.admin, 'list', { format: 'csv' })), 'Email');

const readFromReplica = async () =>
  (await readFile(join(folder, 'standby', 'postgres.log'), 'utf8')).match(/declare rows_1 /g)?.length ?? 0;

async function execute(sql: string): Promise<void> {
  const client = new pg.Client(standby.url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('the service itself doesn’t start on a replica', async () => {
  const started = prepareDatabase({ url: standby.url, pooled: false, statementTimeoutMs: 15_000 });
  await expect(started).rejects.toThrow(
    /^the database can't be used:\n- it is a read-only standby: use the address of the primary$/,
  );
});

test('an export reads from the replica, including the latest writes', async () => {
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    await add(email);
    expect(await addresses()).toContain(email);
  }
  expect(await readFromReplica()).toBe(3);
});

test('a lagging replica isn’t used', async () => {
  const before = await readFromReplica();
  await execute('select pg_wal_replay_pause()');
  await add('four@example.com');
  expect(await addresses()).toContain('four@example.com');
  expect(await readFromReplica()).toBe(before);
  await execute('select pg_wal_replay_resume()');
  expect(await addresses()).toContain('four@example.com');
  expect(await readFromReplica()).toBe(before + 1);
});

test('a lost replica causes no errors, and is used again when it is back', async () => {
  await standby.stop();
  await add('five@example.com');
  expect(await addresses()).toContain('five@example.com');
  standby = await startStandby(join(folder, 'standby'), primary.url);
  const before = await readFromReplica();
  expect(await addresses()).toContain('five@example.com');
  expect(await readFromReplica()).toBe(before + 1);
});
