/** Commands that revoke access or change keys while a service runs, which must apply them immediately. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type Service, startService } from '../../../src/service.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { authorizationUrl, createBrowser, newVerifier, signIn, tokenRequest } from '../../helpers/identity/oauth.ts';

const mariana = { email: 'mariana@verde.example', password: 'correct horse battery staple' };
const jonas = { email: 'jonas@verde.example', password: 'correct horse battery staple' };
const redirectUri = 'http://127.0.0.1/callback';
const scopes = ['profile', 'offline_access'];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Service;
let client: { id: string; secret: string };

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(10), temporaryFolder()]);
  env = { ...settings(folder.path, database.url), PORT: '0', LOG_LEVEL: 'silent', SIGN_IN_FAILURES_PER_ACCOUNT: '2' };
  service = await startService(readConfig(env));
  for (const [name, person] of Object.entries({ Mariana: mariana, Jonas: jonas })) {
    const admin = { ...person, name, position: 'Director', department: 'Management' };
    await createCompany(database.db, `Company of ${name}`, admin);
  }
  client = (await createClient(database.db, {
    name: 'Payroll',
    redirect_uris: [redirectUri],
    public: false,
  })) as never;
});

afterAll(async () => {
  await service?.stop();
  await folder.remove();
  await database.drop();
});

const cli = (args: string[], input = '') => runCli(args, env, { input });

function signedIn(person: { email: string; password: string }, browser = createBrowser(service.base_url)) {
  return signIn({ base_url: service.base_url, client, redirect_uri: redirectUri, scopes, ...person, browser });
}

async function statusOf(token: string): Promise<number> {
  const response = await fetch(`${service.base_url}/auth/user`, { headers: { authorization: `Bearer ${token}` } });
  return response.status;
}

/** Whether a returning browser must enter a password. */
async function promptsForPassword(browser: ReturnType<typeof createBrowser>): Promise<boolean> {
  const { base_url: baseUrl } = service;
  const options = {
    base_url: baseUrl,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  };
  const page = await browser.open(authorizationUrl(options));
  return page.forms.some((form) => form.has('password'));
}

test('user revoke ends the user’s tokens and sessions, and they can sign in again', async () => {
  const [browser, otherBrowser] = [createBrowser(service.base_url), createBrowser(service.base_url)];
  const tokens = await signedIn(mariana, browser);
  const others = await signedIn(jonas, otherBrowser);
  expect(await statusOf(tokens.access_token)).toBe(200);
  expect(await promptsForPassword(browser)).toBe(false);

  const { code, stdout } = await cli(['user', 'revoke', 'Mariana@verde.example', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ user: { email: mariana.email }, ended: { grants: 1, sessions: 1 } });
  await eventually(async () => expect(await statusOf(tokens.access_token)).toBe(401));
  const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
  expect(await (await tokenRequest(service.base_url, client, body)).json()).toMatchObject({ error: 'invalid_grant' });
  expect(await promptsForPassword(browser)).toBe(true);

  expect(await statusOf(others.access_token)).toBe(200);
  expect(await promptsForPassword(otherBrowser)).toBe(false);
  expect(await statusOf((await signedIn(mariana)).access_token)).toBe(200);
  const text = (await cli(['user', 'revoke', mariana.email])).stdout;
  expect(text).toBe(`Revoked the access of ${mariana.email}: grants 1, sessions 1. They can sign in again.\n`);
});

test('user reset-password ends tokens, sessions, and the wait after failed attempts, and notifies the user by email', async () => {
  const browser = createBrowser(service.base_url);
  const tokens = await signedIn(jonas, browser);
  const password = 'quiet rivers bend slowly';
  for (const status of [401, 401, 429]) {
    await expect(signedIn({ ...jonas, password: 'a guess' })).rejects.toThrow(String(status));
  }
  const reset = await cli(['user', 'reset-password', jonas.email, '--password-stdin'], `${password}\n`);
  expect(reset).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('has a new password') });
  await eventually(async () => expect(await statusOf(tokens.access_token)).toBe(401));
  expect(await promptsForPassword(browser)).toBe(true);
  await expect(signedIn(jonas)).rejects.toThrow('match an account');
  expect(await statusOf((await signedIn({ ...jonas, password })).access_token)).toBe(200);

  const outbox = join(env.DATA_DIR!, 'outbox');
  const mail = await eventually(async () => {
    const names = (await readdir(outbox)).filter((name) => name.endsWith(`${jonas.email}.txt`));
    const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
    return (
      mails.find((text) => text.includes('Subject: Your password was changed')) ?? Promise.reject(new Error('none'))
    );
  });
  expect(mail).not.toContain(password);
});

test('client rotate-secret disables the old secret immediately, and grants continue with the new one', async () => {
  const { refresh_token: refreshToken } = await signedIn(mariana);
  const refresh = (secret: string) => {
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
    return tokenRequest(service.base_url, { id: client.id, secret }, body);
  };
  const { stdout } = await cli(['client', 'rotate-secret', client.id, '--json']);
  const { secret } = JSON.parse(stdout);
  const refused = await refresh(client.secret);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
  expect((await refresh(secret)).status).toBe(200);
  client.secret = secret;
});

test('key rotate signs with the new key, and accepts the old one until it is retired', async () => {
  const listed = async () => JSON.parse((await cli(['key', 'list', '--json'])).stdout).data;
  const keys = await listed();
  const [first] = keys;
  expect(keys).toEqual([{ ...first, state: 'signs', algorithm: 'ES256', retired_at: null }]);
  const browser = createBrowser(service.base_url);
  const before = (await signedIn(mariana, browser)).access_token;

  const rotated = await cli(['key', 'rotate', '--json']);
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  const { id } = JSON.parse(rotated.stdout);
  expect((await listed()).map((key: { id: string; state: string }) => [key.id, key.state])).toEqual([
    [id, 'signs'],
    [first.id, 'accepted'],
  ]);
  const after = await eventually(async () => {
    const { access_token: accessToken } = await signedIn(mariana, browser);
    expect(JSON.parse(Buffer.from(accessToken.split('.')[0]!, 'base64url').toString()).kid).toBe(id);
    return accessToken;
  });
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);

  const nothing = await cli(['key', 'retire']);
  expect(nothing).toMatchObject({ code: 0, stdout: 'No key was retired: no replaced key is past its last token.\n' });
  expect(JSON.parse((await cli(['key', 'retire', '--now', '--json'])).stdout)).toEqual({ retired: 1 });
  await eventually(async () => expect(await statusOf(before)).toBe(401));
  expect(await statusOf(after)).toBe(200);
  expect((await cli(['key', 'list'])).stdout).toMatch(
    /^ID +STATE +CREATED +RETIRED\n\S+ +signs +\S+\n\S+ +retired +\S+ +\S+\n$/,
  );
  expect((await cli(['key', 'retire', '--now'])).stdout).toBe('No key was retired: there is only the signing key.\n');
});

test.each([
  ['key rotate', ['key', 'rotate']],
  ['user revoke', ['user', 'revoke', jonas.email]],
  ['user reset-password', ['user', 'reset-password', jonas.email, '--password-stdin']],
  ['erase-person', ['erase-person', '--user', jonas.email, '--yes']],
])('%s changes nothing with a key that isn’t the database’s', async (_, args) => {
  const stored = () => database.query('select id, revision from collaborators order by id');
  const keys = () => database.query('select id from signing_keys order by id');
  const before = [await stored(), await keys()];
  const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
  const input = 'another horse battery staple';
  const result = await runCli(args, { ...env, ENCRYPTION_KEY }, { input });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: the database was written with another ENCRYPTION_KEY: set that key\n',
  });
  expect([await stored(), await keys()]).toEqual(before);
});
