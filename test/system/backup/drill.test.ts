/** The restore drill: back up a company under load, and continue with a service restored from it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { writeBackup } from '../../../src/platform/backup/take.ts';
import { isBackupRunning } from '../../../src/platform/files/backup-lock.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { partsOfKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signIn, tokenRequest } from '../../helpers/identity/oauth.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDocument, fetchFile, pdf } from '../../helpers/resources/documents.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

const redirectUri = 'http://127.0.0.1/callback';
const documentsCount = 12;

let app: TestApp;
let worker: TestWorker;
let hooks: Receiver;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [app, hooks, target, folder] = await Promise.all([
    testApp(localWebhooks),
    receiver(),
    testDatabase(2, { template: 'template0' }),
    temporaryFolder(),
  ]);
  worker = await testWorker(app);
});

afterAll(async () => {
  killProcesses();
  await target.drop();
  await hooks.close();
  await folder.remove();
});

/** The rows of a table, regardless of their order. */
async function content(database: TestDatabase, table: string): Promise<unknown[]> {
  return (await database.query(`select t::text as row from ${table} t order by 1`)).map(({ row }) => row);
}

test('a backup under load restores a service that continues from that moment', async () => {
  const { company_id: companyId, database, base_url: baseUrl } = app;
  const { id: webhookId } = await subscribe(app, hooks.url);
  const person = app.employee.collaborator_id;
  const documents: string[] = [];
  for (let n = 0; n < documentsCount; n++) {
    const file = Buffer.concat([pdf, Buffer.from(`% ${n}\n`)]);
    documents.push(await addDocument(app, person, { file, filename: `file-${n}.pdf` }));
  }
  const client = await createClient(database.db, { name: 'Planner', redirect_uris: [redirectUri], public: true });
  const password = 'correct horse battery staple';
  const credentials = {
    base_url: baseUrl,
    client,
    redirect_uri: redirectUri,
    email: 'mariana.duarte@example.com',
    password,
  };
  const tokens = await signIn({ ...credentials, scopes: ['profile', 'collaborators:read', 'offline_access'] });
  await defineField(app.admin, { key: 'badge', type: 'text', unique: true, sensitive: true });
  const change = { position: 'Lead Planner', custom_fields: { badge: 'B-0815' } };
  await app.admin.patch(`/v1/collaborators/${person}`, change).expect(200);
  const [queued] = await database.query<{ n: number }>(`select count(*)::int as n from graphile_worker.jobs
    where task_identifier = 'sendMail'`);
  await eventually(async () => {
    const [{ open } = { open: -1 }] = await database.query<{ open: number }>(
      `select count(*)::int as open from deliveries where status <> 'succeeded' and webhook_id = $1`,
      [webhookId],
    );
    expect(open).toBe(0);
  });
  await worker.stop(); // deliveries wait from here on
  await app.admin
    .post('/v1/collaborators', {
      name: 'Ines Prado',
      email: 'ines@example.com',
      position: 'Driver',
      department: 'Fleet',
    })
    .expect(201);
  const before = await database.query<{ id: string }>('select id from collaborators');

  // Add people throughout, and delete others once the first file has been copied.
  let working = true;
  const added: string[] = [];
  const work = (async () => {
    while (working) {
      const n = added.length;
      const body = { name: `Person ${n}`, email: `person${n}@example.com`, position: 'Driver', department: 'Fleet' };
      added.push((await app.admin.post('/v1/collaborators', body).expect(201)).body.id);
    }
  })();
  await eventually(() => expect(added.length).toBeGreaterThan(5));
  const storage = createStorage(app.config);
  let deleted = false;
  const watched: Storage = {
    ...storage,
    async read(key, range) {
      if (!deleted && partsOfKey(key)) {
        deleted = true;
        expect(await isBackupRunning(database.db)).toBe(true);
        for (const id of documents) await app.admin.delete(`/v1/collaborators/${person}/documents/${id}`).expect(200);
        const n = added.length;
        await eventually(() => expect(added.length).toBeGreaterThan(n));
      }
      return storage.read(key, range);
    },
  };
  const path = join(folder.path, 'drill.zip');
  const manifest = await writeBackup({
    url: database.url,
    storage: watched,
    encryption_keys: app.config.encryption_keys,
    target: path,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  working = false;
  await work;
  expect(await isBackupRunning(database.db)).toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['drill.zip']);
  expect(manifest.files).toMatchObject({ count: documentsCount, missing: [] });

  // Restore into an empty system on the command line.
  const files = join(folder.path, 'files');
  const env = { ...settings(folder.path, target.url), STORAGE_URL: `file:${files}` };
  const restored = await runCli(['restore', path, '--json'], env);
  expect(restored).toMatchObject({ code: 0 });
  const report = JSON.parse(restored.stdout).restored;
  expect(report).toMatchObject({ files: documentsCount, files_missing: 0, migrated: [] });

  // A consistent snapshot: everything acknowledged before, nothing from after, and matching tables.
  const people = new Set((await target.query<{ id: string }>('select id from collaborators')).map(({ id }) => id));
  for (const { id } of before) expect(people).toContain(id);
  const there = added.filter((id) => people.has(id)).length;
  expect(there).toBeGreaterThanOrEqual(5);
  expect(there).toBeLessThan(added.length);
  expect(people.size).toBe(before.length + there);
  for (const { table, rows } of manifest.tables) {
    const [{ n } = { n: -1 }] = await target.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    expect([table, n]).toEqual([table, rows]);
  }
  const [agree] = await target.query(
    `select
    (select count(*)::int from collaborators where company_id = $1 and deleted_at is null) as people,
    (select sum(active + inactive + pending)::int from collaborator_counts where company_id = $1) as counted,
    (select count(*)::int from collaborator_history where description = 'Collaborator created' and company_id = $1) as entries,
    (select max(created_at) <= $2 from collaborators) as nothing_later`,
    [companyId, manifest.taken_at],
  );
  expect(agree).toMatchObject({ counted: agree!.people, nothing_later: true });
  const tables = ['users', 'signing_keys', 'oauth_clients', 'oauth_artifacts', 'webhooks', 'memberships'];
  for (const table of [...tables, 'custom_field_sets', 'custom_field_values']) {
    expect(await content(target, table)).toEqual(await content(database, table));
  }
  expect(queued).toEqual({ n: 0 });

  const schema = `select indexdef as made from pg_indexes where schemaname = 'public' union all
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by 1`;
  expect(await target.query(schema)).toEqual(await database.query(schema));

  // The old service is gone with its files; the new one listens on its address.
  await app.close();
  const port = new URL(baseUrl).port;
  const fresh = startProcess(
    { ...localWebhooks, NODE_ENV: 'test', DATABASE_URL: target.url, PORT: port, STORAGE_URL: `file:${files}` },
    [],
  );
  expect(await fresh.ready(60_000)).toBe(baseUrl);
  const api = (token: string) => (path: string) =>
    supertest(baseUrl).get(path).set('Authorization', `Bearer ${token}`).set('X-Company-Id', companyId);
  const get = api(app.admin.token); // issued before the backup
  const found = await get(`/v1/collaborators/${person}`).expect(200);
  expect(found.body).toMatchObject({ salary: 39_500, ...change });
  const history = await get(`/v1/collaborators/${person}/history`).expect(200);
  expect(
    history.body.data.some((entry: { changes: { to: string }[] }) => entry.changes[0]?.to === 'Lead Planner'),
  ).toBe(true);
  const listed = await get('/v1/collaborators').expect(200);
  expect(listed.body.meta.total).toBe(agree!.people);

  const documentPage = await get(`/v1/collaborators/${person}/documents`).expect(200);
  expect(documentPage.body.data).toHaveLength(documentsCount);
  for (const { name, url } of documentPage.body.data) {
    const n = /\d+/.exec(name)![0];
    expect((await fetchFile(url)).bytes.toString()).toBe(`${pdf}% ${n}\n`);
  }

  const refreshed = await tokenRequest(baseUrl, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token!,
  });
  expect(refreshed.status).toBe(200);
  const newTokens = await signIn({ ...credentials, scopes: ['profile', 'collaborators:read'] });
  await api(newTokens.access_token)('/v1/collaborators').expect(200);

  // Pending deliveries are sent now.
  await eventually(async () => {
    const arrived = hooks.requests.map(
      ({ headers }) => headers.find(([name]) => name.toLowerCase() === 'webhook-id')![1],
    );
    const deliveries = await target.query('select event_id, status from deliveries where webhook_id = $1', [webhookId]);
    expect(deliveries.length).toBeGreaterThan(documentsCount + there);
    expect(deliveries.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(arrived).toEqual(expect.arrayContaining(deliveries.map(({ event_id: eventId }) => eventId)));
    expect(hooks.requests.some(({ body }) => body.includes('Ines Prado'))).toBe(true);
  });
  await get(`/v1/webhooks/${webhookId}/deliveries?limit=100`).expect(200);
  fresh.child.kill('SIGTERM');
  expect(await fresh.ended).toBe(0);
});
