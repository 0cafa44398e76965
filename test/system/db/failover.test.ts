/**
 * A standby. Exports read from it, never anything older than the request, and tolerate its loss. And it takes over under load: with
 * several hosts in DATABASE_URL, nothing restarts, and nothing acknowledged is lost.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { copyForStandby, startStandby } from '../../helpers/database/standby.ts';
import { eventually } from '../../helpers/eventually.ts';
import { grantToken } from '../../helpers/identity/tokens.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { column, csvOf, runExport } from '../../helpers/resources/exports.ts';
import { testSettings } from '../../helpers/settings.ts';

const clients = 3;
const pauseMs = 5;
const person = { name: 'Mariana Duarte', email: 'mariana@example.com', position: 'Lead', department: 'Operations' };
const limits = { pooled: false, statementTimeoutMs: 15_000 };

let folder: string;
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let app: TestApp;
let hooks: Receiver;
let baseUrl: string;
let headers: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'failover-'));
  hooks = await receiver();
  primary = await startEmbedded(join(folder, 'primary'));
  await prepareDatabase({ url: primary.url, ...limits }, migrateQueue);
  await primary.stop();
  await copyForStandby(join(folder, 'primary'), join(folder, 'standby'));
  primary = await startEmbedded(join(folder, 'primary'));
  standby = await startStandby(join(folder, 'standby'), primary.url);
  const replica = { url: standby.url, waitMs: 3_000 };
  app = await testApp(
    {},
    openTestDatabase(primary.url, 10, async () => {}, { replica }),
  );
});
afterAll(async () => {
  killProcesses();
  await app.close();
  await hooks.close();
  await standby.stop();
  await primary.stop().catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

/** The standby comes first, so the service has to find the writable one. */
function bothHosts(): string {
  const url = new URL(primary.url);
  const { port } = new URL(standby.url);
  const login = `${url.username}:${url.password}`;
  return `postgres://${login}@127.0.0.1:${port},127.0.0.1:${url.port}/collaborators?target_session_attrs=read-write`;
}

async function admin(): Promise<Record<string, string>> {
  const db = openDatabase({ url: primary.url, poolSize: 2, connectTimeoutMs: 30_000, ...limits });
  const { company, admin } = await createCompany(db, 'Verde', { ...person, password: 'correct horse battery staple' });
  const config = readConfig({ ...testSettings });
  const { user_id: userId } = admin;
  const token = await grantToken(db, config, baseUrl, { user_id: userId, company_ids: [company.id] });
  await db.close();
  return { Authorization: `Bearer ${token}`, 'X-Company-Id': company.id, 'Content-Type': 'application/json' };
}

const send = (method: string, path: string, body?: object) =>
  fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });

const add = (email: string) => send('POST', '/v1/collaborators', { ...person, email });

async function runQuery<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<R>(sql);
  await client.end();
  return rows;
}

const addByApp = (email: string) =>
  app.admin.post('/v1/collaborators', { name: 'New', email, position: 'x', department: 'y' }).expect(201);

/** Emails in an export that is created within the request. */
const addresses = async () => column(csvOf(await runExport(app.admin, 'list', { format: 'csv' })), 'Email');

const readFromReplica = async () =>
  (await readFile(join(folder, 'standby', 'postgres.log'), 'utf8')).match(/declare rows_1 /g)?.length ?? 0;

test('the service itself doesn’t start on a replica', async () => {
  const started = prepareDatabase({ url: standby.url, ...limits });
  await expect(started).rejects.toThrow(
    /^the database can't be used:\n- it is a read-only standby: use the address of the primary$/,
  );
});

test('an export reads from the replica, including the latest writes', async () => {
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    await addByApp(email);
    expect(await addresses()).toContain(email);
  }
  expect(await readFromReplica()).toBe(3);
});

test('a lagging replica isn’t used', async () => {
  const before = await readFromReplica();
  await runQuery(standby.url, 'select pg_wal_replay_pause()');
  await addByApp('four@example.com');
  expect(await addresses()).toContain('four@example.com');
  expect(await readFromReplica()).toBe(before);
  await runQuery(standby.url, 'select pg_wal_replay_resume()');
  expect(await addresses()).toContain('four@example.com');
  expect(await readFromReplica()).toBe(before + 1);
});

test('a lost replica causes no errors, and is used again when it is back', async () => {
  await standby.stop();
  await addByApp('five@example.com');
  expect(await addresses()).toContain('five@example.com');
  standby = await startStandby(join(folder, 'standby'), primary.url);
  const before = await readFromReplica();
  expect(await addresses()).toContain('five@example.com');
  expect(await readFromReplica()).toBe(before + 1);
});

test('the primary dies under load: requests return 503 briefly, and everything acknowledged is there', async () => {
  // Commits are acknowledged only when the standby has them too.
  await runQuery(primary.url, "alter system set synchronous_standby_names = '*'");
  await runQuery(primary.url, 'select pg_reload_conf()');
  const service = startProcess(
    { DATABASE_URL: bothHosts(), DATA_DIR: join(folder, 'data'), WEBHOOK_ALLOW_PRIVATE: 'true' },
    ['api', 'worker'],
  );
  baseUrl = await service.ready();
  headers = await admin();
  const hook = await send('POST', '/v1/webhooks', { url: hooks.url, events: ['collaborator.created'] });
  expect(hook.status).toBe(201);
  const acknowledged: string[] = [];
  const statusCounts = new Map<number, number>();
  const withoutHint: string[] = [];
  let running = true;
  const client = async (name: string) => {
    for (let n = 0; running; n++) {
      const email = `${name}-${n}@example.com`;
      const response = await add(email);
      const text = await response.text();
      statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1);
      if (response.status === 201) acknowledged.push(email);
      else if (!response.headers.get('retry-after')) withoutHint.push(`${response.status} ${text}`);
      await sleep(pauseMs);
    }
  };
  const load = Promise.all(Array.from({ length: clients }, (_, n) => client(`client-${n}`)));
  try {
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(20));
    process.kill(primary.pid, 'SIGQUIT'); // immediately, as in a crash
    await eventually(() => expect(statusCounts.get(503)).toBeGreaterThan(0));
    await runQuery(standby.url, 'select pg_promote()');
    const before = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
  } finally {
    running = false;
    await load;
  }
  expect([...statusCounts.keys()].sort()).toEqual([201, 503]);
  expect(withoutHint).toEqual([]);
  const rows = await runQuery<{ email: string }>(
    standby.url,
    "select email from collaborators where email like 'client-%'",
  );
  const stored = new Set(rows.map(({ email }) => email));
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  // Worker and dispatcher find it too: each creation is announced, whether acknowledged or not.
  await eventually(() => {
    const notified = new Set(
      hooks.requests.flatMap(({ body }) => body.toString().match(/client-\d+-\d+@example\.com/) ?? []),
    );
    expect([...stored].filter((email) => !notified.has(email)).slice(0, 10)).toEqual([]);
  });
});
