/**
 * The rotation of ENCRYPTION_KEY as docs/operations/secrets.md describes it, on a service with every kind of encrypted
 * data. Each stage restarts the service with other keys at the same address.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { factorVault } from '../../../src/identity/factors/factors.ts';
import { addTotp, newTotpSecret } from '../../../src/identity/factors/totp.ts';
import { createResetQueue } from '../../../src/identity/passwords/password-resets.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { rotate, sealedCounts } from '../../../src/platform/rotation/rotate.ts';
import { sealedColumns, sealedJobs } from '../../../src/platform/rotation/sealed-columns.ts';
import { type SealContext, vault } from '../../../src/platform/secrets/secrets.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type Service, startService } from '../../../src/service.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signIn, type Tokens, tokenRequest } from '../../helpers/identity/oauth.ts';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const inBase64 = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

const unlimited = { RATE_LIMIT_REQUESTS_PER_MIN: '100000', RATE_LIMIT_WRITES_PER_MIN: '100000' };
const admin = { email: 'mariana@verde.example', password: 'correct horse battery staple' };
const redirectUri = 'http://127.0.0.1/callback';
const scopes = [
  'profile',
  'offline_access',
  'collaborators:read',
  'collaborators:write',
  'invitations:send',
  'webhooks:manage',
  'sign_in_connections:manage',
];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Service | undefined;
let client: { id: string; secret: string };
let companyId: string;
let tokens: Tokens;
let port = '0';

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(5), temporaryFolder()]);
  env = {
    ...settings(folder.path, database.url),
    LOG_LEVEL: 'silent',
    DATABASE_LOCK_TIMEOUT_MS: '1000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...unlimited,
  };
  const person = { ...admin, name: 'Mariana Duarte', position: 'Director', department: 'Management' };
  companyId = (await createCompany(database.db, 'Verde Logística', person)).company.id;
  const registered = { name: 'Payroll', redirect_uris: [redirectUri], public: false };
  client = (await createClient(database.db, registered)) as typeof client;
});
afterAll(async () => {
  await service?.stop();
  await folder.remove();
  await database.drop();
});

async function restart(keys: string, roles: ('api' | 'worker')[] = ['api']): Promise<void> {
  await service?.stop();
  service = undefined;
  service = await startService(readConfig({ ...env, ENCRYPTION_KEY: keys, PORT: port }), { roles });
  ({ port } = new URL(service.base_url));
}

function post(path: string, body: unknown, key?: string): Promise<Response> {
  return fetch(`${service!.base_url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      'x-company-id': companyId,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
}

const cli = async (keys: string, ...args: string[]) => {
  const environment = { ...env, ENCRYPTION_KEY: keys };
  const { code, stdout, stderr } = await runCli([...args, '--json'], environment);
  return { code, stderr, data: stdout ? JSON.parse(stdout).data : undefined };
};

const purposes = [...new Set([...sealedColumns, ...sealedJobs].map(({ purpose }) => purpose))].sort();

interface Sealed {
  purpose: string;
  place: SealContext;
  bytes: Buffer;
}

/** Everything that is sealed. */
async function sealed(): Promise<Sealed[]> {
  const all: Sealed[] = [];
  for (const { purpose, table, column, key, of_company: ofCompany } of sealedColumns) {
    const names = ofCompany ? ['company_id', ...key] : key;
    const rows = await database.query<{ bytes: Buffer } & Record<string, string | Buffer>>(
      `select ${column} as bytes, ${names.join(', ')} from ${table} where ${column} is not null`,
    );
    for (const { bytes, ...row } of rows) {
      all.push({ purpose, place: [table, column, ...names.map((name) => row[name]!)], bytes });
    }
  }
  for (const { purpose, task } of sealedJobs) {
    const rows = await database.query<{ sealed: string }>(
      `select payload->>'sealed' as sealed from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = task_id where identifier = $1`,
      [task],
    );
    const place: SealContext = ['graphile_worker.jobs', task];
    all.push(...rows.map(({ sealed }) => ({ purpose, place, bytes: Buffer.from(sealed, 'base64') })));
  }
  return all;
}

/** How many of them this key alone can open. */
async function openWith(key: Buffer): Promise<{ opened: number; of: number }> {
  const all = await sealed();
  return { opened: all.filter((one) => opens(key, one)).length, of: all.length };
}

function opens(key: Buffer, { purpose, place, bytes }: Sealed): boolean {
  try {
    return vault([key], purpose).open(bytes, place) !== undefined;
  } catch {
    return false;
  }
}

async function withApp(): Promise<void> {
  const userId = randomUUID();
  const { global } = service!.db;
  await global.insertInto('users').values({ id: userId, email: 'ana@verde.example', name: 'Ana' }).execute();
  const added = { user_id: userId, name: 'Phone', secret: newTotpSecret(), step: 1 };
  await global.transaction().execute((tx) => addTotp(tx, factorVault([oldKey]), added));
}

const person = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@verde.example`,
  position: 'Planner',
  department: 'Operations',
});

test('the rotation knows every encrypted column', async () => {
  const columns = await database.query<{ place: string }>(`
    select table_name || '.' || column_name as place from information_schema.columns
    where column_name like '%\\_encrypted' and table_schema = 'public' order by 1`);
  expect(columns.map(({ place }) => place)).toEqual(
    sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
  );
});

test('rotates from the old key to the new one without disruption, and nothing needs the old key afterwards', async () => {
  // Before: everything with the old key, and one row in the original format.
  await restart(inBase64(oldKey));
  tokens = await signIn({ base_url: service!.base_url, client, redirect_uri: redirectUri, scopes, ...admin });
  const hook = {
    url: 'http://127.0.0.1:9999/hook',
    events: ['collaborator.created'],
    headers: { 'X-Team': 'harbour' },
  };
  const provider = { name: 'Okta', issuer: 'https://okta.example', client_id: 'a', client_secret: 'b' };
  expect((await post('/v1/sign-in-connections', provider)).status).toBe(201);
  const withKey = { ...provider, client_secret: undefined, client_authentication: 'private_key_jwt' };
  expect((await post('/v1/sign-in-connections', withKey)).status).toBe(201);
  const created = await post('/v1/webhooks', hook);
  const webhook = (await created.json()) as { id: string };
  expect({ status: created.status, webhook }).toMatchObject({ status: 201 });
  const response = await post('/v1/collaborators', person('Rui'), 'key-1');
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  expect((await post(`/v1/collaborators/${id}/send-invitation`, {})).status).toBe(200);
  await createResetQueue([oldKey]).request(service!.db.global, admin.email, 'en');
  await withApp();
  const before = await openWith(oldKey);
  expect(before.opened).toBe(before.of);
  expect([...new Set((await sealed()).map(({ purpose }) => purpose))].sort()).toEqual(purposes); // one of every kind

  // The new key encrypts, the old one can still decrypt.
  const both = [newKey, oldKey] as const;
  await restart(inBase64(...both));
  expect((await sealedCounts(database.db, both)).every(({ older }) => older > 0)).toBe(true);

  // The service keeps writing during the rotation.
  const statuses: number[] = [];
  let rotating = true;
  const writing = (async () => {
    for (let i = 0; rotating; i++) statuses.push((await post('/v1/collaborators', person(`P${i}`), `w${i}`)).status);
  })();
  const rotated = await cli(inBase64(...both), 'secrets', 'rotate').finally(() => {
    rotating = false;
    return writing;
  });
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(
    rotated.data.every(
      ({ resealed, unreadable }: { resealed: number; unreadable: number }) => resealed > 0 && unreadable === 0,
    ),
  ).toBe(true);
  expect(statuses.length).toBeGreaterThan(3);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect((await sealedCounts(database.db, both)).every(({ older }) => older === 0)).toBe(true);
  expect((await rotate(database.db, both)).places.every(({ resealed }) => resealed === 0)).toBe(true);

  expect(await openWith(oldKey)).toEqual({ opened: 0, of: expect.any(Number) });
  const { opened, of } = await openWith(newKey);
  expect(opened).toBe(of);
  expect(of).toBeGreaterThan(before.of);

  // Only the new key, now with a worker.
  await restart(inBase64(newKey), ['api', 'worker']);
  const replayed = await post('/v1/collaborators', person('Rui'), 'key-1');
  expect(replayed.status).toBe(201); // the access token works too, so its key was decrypted
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(await replayed.json()).toMatchObject({ id });
  const refreshed = await tokenRequest(service!.base_url, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token!,
  });
  expect(refreshed.status).toBe(200);
  const renewed = await post(`/v1/webhooks/${webhook.id}/rotate-secret`, {});
  expect(renewed.status).toBe(200);
  await eventually(async () => {
    const outbox = join(env.DATA_DIR!, 'outbox');
    const mails = await Promise.all((await readdir(outbox)).map((file) => readFile(join(outbox, file), 'utf8')));
    expect(mails.some((mail) => mail.includes('/oauth/invitation/'))).toBe(true);
    expect(mails.some((mail) => mail.includes('/oauth/reset/'))).toBe(true);
  });
});

test('a key that a running process lacks is refused, and no value is changed', async () => {
  const other = randomBytes(32);
  for (const role of ['api', 'worker'] as const) {
    await restart(inBase64(newKey), [role]);
    for (const args of [
      ['secrets', 'rotate'],
      ['key', 'rotate'],
    ]) {
      const { code, stderr } = await cli(inBase64(other, newKey), ...args);
      expect({ role, args, code, stderr }).toEqual({
        ...{ role, args, code: 1 },
        stderr: expect.stringMatching(/^error: running processes of the service lack the first key of ENCRYPTION_KEY/),
      });
    }
    expect((await openWith(other)).opened).toBe(0);
  }
  await service!.stop();
  service = undefined;
});

test('values that no key opens are reported, left unchanged, and fail the command', async () => {
  const otherDatabase = await cli(inBase64(randomBytes(32)), 'secrets', 'rotate');
  expect(otherDatabase).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*another ENCRYPTION_KEY/) });
  const company = await companyWithResponse('Outra', randomBytes(32));
  const before = await storedResponses(company);
  const { code, stderr } = await cli(inBase64(newKey), 'secrets', 'rotate');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: values left unchanged, because no key of ENCRYPTION_KEY decrypts them: 1$/m);
  expect(await storedResponses(company)).toEqual(before);
  await database.query('delete from idempotency_keys where company_id = $1', [company]);
});

test('an unreachable company is reported at the end, and the others are rotated', async () => {
  const thirdKey = randomBytes(32);
  const lockedCompany = await companyWithResponse('Antes');
  const free = await companyWithResponse('Depois');
  const holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from idempotency_keys where company_id = $1 for update', [lockedCompany]);
  const { code, stderr } = await cli(inBase64(thirdKey, newKey), 'secrets', 'rotate');
  await holder.end();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`^error: company ${lockedCompany} may still need an older key: .*lock timeout`),
  });
  const openedBy = (key: Buffer, id: string) =>
    storedResponses(id).then(([sealedResponse]) => opens(key, sealedResponse!));
  expect(await openedBy(thirdKey, free)).toBe(true);
  expect(await openedBy(newKey, lockedCompany)).toBe(true);
});

/** @returns a company with a stored response */
async function companyWithResponse(name: string, key = newKey): Promise<string> {
  const email = `olga@${name.toLowerCase()}.example`;
  const director = { name: 'Olga Prata', email, position: 'Director', department: 'Management' };
  const { company } = await createCompany(database.db, name, { ...director, password: admin.password });
  const keyHash = randomBytes(32);
  const at: SealContext = ['idempotency_keys', 'body_encrypted', company.id, keyHash];
  await database.query(
    `insert into idempotency_keys (company_id, key_hash, request_hash, status, headers, body_encrypted)
     values ($1, $2, $2, 200, '{}', $3)`,
    [company.id, keyHash, vault([key], 'kept-answers').seal('{}', at)],
  );
  return company.id;
}

async function storedResponses(company: string): Promise<Sealed[]> {
  return (await sealed()).filter(({ place }) => place[0] === 'idempotency_keys' && place[2] === company);
}
