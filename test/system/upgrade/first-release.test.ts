/**
 * Reads data of the first release, kept in the repository, with the current version: the API must show the same.
 *
 * Until 1.0.0 is published, RECORD=1 recreates the data. Afterwards it stays unchanged.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { signIn } from '../../helpers/identity/oauth.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { type ApiResponse, keyed, readEverything, type Send, useEverything } from './first-release/company.ts';

const storedFile = (name: string) => fileURLToPath(new URL(`first-release/${name}`, import.meta.url));
const backup = storedFile('backup.zip');
const responsesFile = storedFile('answers.json');

const admin = { email: 'mariana@verde.example', password: 'correct horse battery staple' };
const json = { 'Content-Type': 'application/json' };
const redirectUri = 'http://127.0.0.1/callback';
const scopes = [
  ...['profile', 'collaborators:read', 'collaborators:write', 'salary:read', 'salary:write', 'documents:read'],
  ...['documents:write', 'history:read', 'notifications:read', 'notifications:write', 'invitations:send'],
  ...['imports:write', 'exports:read', 'audit:read', 'company:manage', 'apps:manage', 'webhooks:manage'],
];

interface Recorded {
  taken_at: string;
  client_id: string;
  company_id: string;
  /** Response to the request with an Idempotency-Key. */
  keyed: { id: string };
  seen: Record<string, unknown>;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;

beforeAll(async () => {
  folder = await temporaryFolder();
  database = await testDatabase(1, { template: 'template0' });
  if (process.env.RECORD) await record();
});
afterAll(async () => {
  killProcesses();
  await database.drop();
  await folder.remove();
});

/** Settings for a database, with separate files. */
const settingsFor = ({ url }: TestDatabase) => ({
  ...settings(folder.path, url),
  STORAGE_URL: `file:${join(folder.path, url.replace(/^.*\//, ''))}`,
  WEBHOOK_ALLOW_PRIVATE: 'true',
});

async function cli(of: TestDatabase, ...args: string[]) {
  const ended = await runCli([...args, '--json'], settingsFor(of));
  if (ended.code !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout);
}

async function signedIn(
  baseUrl: string,
  { client_id: clientId, company_id: companyId }: Pick<Recorded, 'client_id' | 'company_id'>,
): Promise<Send> {
  const { access_token: accessToken } = await signIn({
    base_url: baseUrl,
    client: { id: clientId },
    redirect_uri: redirectUri,
    ...admin,
    scopes,
  });
  const headers = { Authorization: `Bearer ${accessToken}`, 'X-Company-Id': companyId };
  return async (method, path, body, more) => {
    const content =
      body instanceof FormData
        ? { headers: { ...headers, ...more }, body }
        : { headers: { ...headers, ...more, ...json }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(new URL(path, baseUrl), { method, ...content });
    return { status: response.status, headers: response.headers, body: (await response.json()) as ApiResponse['body'] };
  };
}

async function record(): Promise<void> {
  const source = await testDatabase(1, { template: 'template0' });
  const hooks = await receiver();
  const { company } = await cli(source, 'company', 'create', '--name', 'Verde', '--admin-email', admin.email,
    '--admin-name', 'Mariana Duarte', '--admin-password', admin.password); // biome-ignore format: pairs
  const client = await cli(source, 'client', 'create', '--name', 'Payroll', '--redirect-uri', redirectUri, '--public');
  const ids = { client_id: client.id as string, company_id: company.id as string };
  const service = startProcess(settingsFor(source), ['api', 'worker']);
  const send = await signedIn(await service.ready(), ids);
  await useEverything(send, hooks.url);
  service.child.kill('SIGTERM');
  await service.ended;
  const reader = startProcess(settingsFor(source), ['api']);
  const read = await signedIn(await reader.ready(), ids);
  const { body } = await read('POST', keyed.path, keyed.body, keyed.headers);
  const snapshot = await readEverything(read);
  reader.child.kill('SIGTERM');
  await reader.ended;
  await rm(backup, { force: true });
  const { backup: summary } = await cli(source, 'backup', backup);
  const recorded: Recorded = { taken_at: summary.taken_at, ...ids, keyed: body, seen: snapshot };
  await writeFile(responsesFile, `${JSON.stringify(recorded)}\n`);
  await hooks.close();
  await source.drop();
}

/** Shifts times as if the backup had just been taken, because of retention. */
async function moveTimes(takenAt: string): Promise<void> {
  const columns = await database.query<{ table: string; column: string }>(`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join pg_class t on t.oid = c.table_name::regclass and t.relkind = 'r'
    where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'`);
  for (const { table, column } of columns) {
    await database.query(`update ${table} set ${column} = ${column} + (now() - $1::timestamptz)`, [takenAt]);
  }
}

test('reads data of the first release, and recognizes a repeated request', async () => {
  const recorded: Recorded = JSON.parse(await readFile(responsesFile, 'utf8'));
  await cli(database, 'restore', backup);
  await moveTimes(recorded.taken_at);
  const service = startProcess(settingsFor(database), ['api']);
  const send = await signedIn(await service.ready(), recorded);

  const replay = await send('POST', keyed.path, keyed.body, keyed.headers);
  expect({ status: replay.status, replayed: replay.headers.get('idempotency-replayed') }).toEqual({
    status: 201,
    replayed: 'true',
  });
  expect(replay.body).toEqual(recorded.keyed);
  const snapshot = await readEverything(send);
  for (const [path, response] of Object.entries(recorded.seen))
    expect({ path, response: snapshot[path] }).toMatchObject({ path, response });

  // Simulate 1.0.0 without what later versions add to stored data.
  await database.query(`update imports set
    columns = (select coalesce(jsonb_agg(each - 'date_order'), '[]') from jsonb_array_elements(columns) each),
    warnings = (select coalesce(jsonb_agg(each - 'column'), '[]') from jsonb_array_elements(warnings) each)`);
  const { status, body } = await send('GET', '/v1/imports');
  expect(status).toBe(200);
  const all = (name: string) => body.data!.flatMap((each) => each[name] as Record<string, unknown>[]);
  expect(all('columns').length).toBeGreaterThan(5);
  expect(all('columns').filter(({ date_order: dateOrder }) => dateOrder !== null)).toEqual([]);
  expect(all('warnings')).toContainEqual(expect.objectContaining({ column: null }));
}, 600_000);
