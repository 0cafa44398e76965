/** Schema changes while the service runs, as when a newer version migrates, don't affect requests. */
import { createClient } from '../../../src/identity/clients/clients.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signIn, tokenRequest } from '../../helpers/identity/oauth.ts';
import { exportPaths } from '../../helpers/resources/exports.ts';
import { people, sendImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

const redirectUri = 'http://127.0.0.1/callback';

let app: TestApp;
let worker: TestWorker;
let client: { id: string; secret?: string };
let round = 0;

beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  worker = await testWorker(app);
  client = await createClient(app.database.db, { name: 'Payroll', redirect_uris: [redirectUri], public: false });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

/** Sends one of nearly every request. @returns the failed ones */
async function traffic(): Promise<string[]> {
  const { admin } = app;
  const name = `round${++round}`;
  const failed: string[] = [];
  const send = async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
    const response = await admin[method](path, body);
    if (response.status >= 300) failed.push(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  };
  const person = { name, email: `${name}@example.com`, position: 'Driver', department: 'Fleet' };
  const { id } = await send('post', '/v1/collaborators', person);
  if (!id) return failed; // the rest depends on it
  const ofPerson = `/v1/collaborators/${id}`;
  await send('patch', ofPerson, { position: 'Planner' });
  for (const path of ['', '/history', '/documents', '/notifications', '/status']) await send('get', ofPerson + path);
  for (const path of ['collaborators', 'collaborators?search=rui', 'audit', 'permissions', 'webhooks', 'events'])
    await send('get', `/v1/${path}`);
  const hook = await send('post', '/v1/webhooks', { url: 'http://127.0.0.1:9009/hook', events: ['*'] });
  if (hook.id) {
    await send('get', `/v1/webhooks/${hook.id}/deliveries`);
    await send('delete', `/v1/webhooks/${hook.id}`);
  }
  for (const path of [`${exportPaths.list}?format=csv`, `${exportPaths.individual}?collaborator_id=${id}`]) {
    const created = await send('get', path);
    if (created.id) await send('get', `/v1/exports/${created.id}`);
  }
  await imported(name, failed);
  await signedIn(failed);
  await send('delete', ofPerson);
  return failed;
}

async function imported(name: string, failed: string[]): Promise<void> {
  const { body } = await sendImport(app.admin, { file: people([round]), filename: `${name}.csv` });
  await eventually(async () => {
    const { body: ended } = await app.admin.get(`/v1/imports/${body.id}`);
    expect(ended.status).not.toMatch(/queued|validating|importing|running|processing/);
    if (!/completed/.test(ended.status)) failed.push(`import: ${JSON.stringify(ended)}`);
  });
}

async function signedIn(failed: string[]): Promise<void> {
  const { base_url: baseUrl } = app;
  const credentials = { email: 'mariana.duarte@example.com', password: 'correct horse battery staple' };
  try {
    const scopes = ['collaborators:read', 'offline_access'];
    const { refresh_token: refreshToken } = await signIn({
      base_url: baseUrl,
      client,
      redirect_uri: redirectUri,
      ...credentials,
      scopes,
    });
    const refreshed = await tokenRequest(baseUrl, client, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken!,
    });
    if (!refreshed.ok) failed.push(`refresh: ${refreshed.status} ${await refreshed.text()}`);
  } catch (error) {
    failed.push(`sign-in: ${error}`);
  }
}

test('a new column in every table, including the queue’s, affects nothing, and a changed type at most one write', async () => {
  // Twice, so that statements are prepared and used again.
  for (let n = 0; n < 2; n++) expect(await traffic()).toEqual([]);
  const tables = await app.database.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) await app.database.query(`alter table ${name} add column added_later text`);
  expect(await traffic()).toEqual([]);

  await app.database.query('alter table collaborators alter column work_schedule type varchar(300)');
  await app.database.query('alter table collaborators alter column phone type varchar(300)');
  const failed = (await Promise.all([traffic(), traffic()])).flat();
  expect(failed.filter((each) => !each.includes(': 503 '))).toEqual([]);
  expect(await traffic()).toEqual([]);
}, 240_000);
