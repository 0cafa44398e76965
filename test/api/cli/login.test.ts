import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { type Service, startService } from '../../../src/service.ts';
import { type RunningCommand, runCli, startCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createBrowser, tokenRequest, walkPages } from '../../helpers/identity/oauth.ts';

const mariana = { email: 'mariana@verde.example', password: 'correct horse battery staple' };

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Service;
let clientId: string;
let credentials: string;
let companyId: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(10), temporaryFolder()]);
  env = { ...settings(folder.path, database.url), PORT: '0', LOG_LEVEL: 'silent' };
  service = await startService(readConfig(env));
  const admin = { ...mariana, name: 'Mariana Duarte', position: 'Director', department: 'Management' };
  const { company } = await createCompany(database.db, 'Verde Logística', admin);
  companyId = company.id;
  const client = { name: 'Command line', redirect_uris: ['http://127.0.0.1/callback'], public: true };
  ({ id: clientId } = await createClient(database.db, client));
  credentials = join(env.XDG_CONFIG_HOME!, 'collaborator-api', 'credentials.json');
});

afterAll(async () => {
  await service?.stop();
  await folder.remove();
  await database.drop();
});

const cli = (...args: string[]) => runCli([...args, '--base-url', service.base_url], env);

function login(...options: string[]): RunningCommand {
  const args = ['login', '--base-url', service.base_url, '--client-id', clientId, ...options];
  return startCli(args, env);
}

async function printed({ waitForOutput }: RunningCommand): Promise<URL> {
  return new URL((await waitForOutput(/^ {2}(http\S+)\n/m))[1]!);
}

/** The redirect after a person signed in and allowed everything. */
async function signedIn(url: URL): Promise<URL> {
  const { location } = await walkPages(createBrowser(service.base_url), url.href, mariana);
  return location;
}

const authUser = (token: string) => {
  return fetch(`${service.base_url}/auth/user`, { headers: { authorization: `Bearer ${token}` } });
};

test('signs in through the pages, stores the tokens readable only by the user, and prints a valid one', async () => {
  const signingIn = login('--json');
  const url = await printed(signingIn);
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  const location = await signedIn(url);
  expect(location.hostname).toBe('127.0.0.1');

  const forged = new URL(location);
  forged.searchParams.set('state', 'another');
  expect((await fetch(forged)).status).toBe(400); // and the command keeps waiting
  expect((await fetch(new URL('/favicon.ico', location))).status).toBe(404);
  const page = await fetch(location);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('You are signed in');

  const { code, stdout } = await signingIn.ended;
  expect(code).toBe(0);
  const output = JSON.parse(stdout);
  expect(output).toEqual({
    base_url: service.base_url,
    client_id: clientId,
    company_id: companyId,
    scope: expect.stringContaining('collaborators:read'),
    expires_at: expect.any(String),
    stored_in: credentials,
  });
  expect((await stat(credentials)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(credentials))).mode & 0o777).toBe(0o700);

  const token = await cli('token');
  expect(token).toMatchObject({ code: 0, stderr: '' });
  const user = await authUser(token.stdout.trim());
  expect(user.status).toBe(200);
  expect(await user.json()).toMatchObject({ email: mariana.email, companies: [{ name: 'Verde Logística' }] });

  const asJson = JSON.parse((await cli('token', '--json')).stdout);
  const { expires_at: expiresAt, scope } = output;
  expect(asJson).toEqual({
    base_url: service.base_url,
    access_token: token.stdout.trim(),
    expires_at: expiresAt,
    scope,
  });
});

test('refreshes a token that is about to expire, and stores the new one', async () => {
  const before = await changeSignIn({ expires_at: new Date(Date.now() + 30_000).toISOString() });
  const { code, stdout } = await cli('token');
  expect(code).toBe(0);
  expect(stdout.trim()).not.toBe(before.access_token);
  expect((await authUser(stdout.trim())).status).toBe(200);
  const after = await changeSignIn({});
  expect(after.access_token).toBe(stdout.trim());
  expect(after.refresh_token).not.toBe(before.refresh_token);
  expect(Date.parse(after.expires_at!)).toBeGreaterThan(Date.now() + 3_000_000);
  expect((await cli('token')).stdout).toBe(stdout); // fresh enough, so no refresh
});

test('requests the given scopes, reuses the client, and prints instead of storing', async () => {
  const saved = await readFile(credentials, 'utf8');
  const args = ['login', '--base-url', service.base_url, '--scope', 'profile', '--print', '--no-open'];
  const signingIn = startCli(args, env);
  const url = await printed(signingIn);
  expect(url.searchParams.get('scope')).toBe('profile');
  expect(url.searchParams.get('client_id')).toBe(clientId);
  await fetch(await signedIn(url));
  const { code, stdout } = await signingIn.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ access_token: expect.any(String), scope: 'profile', expires_in: 3600 });
  expect(await readFile(credentials, 'utf8')).toBe(saved);
});

test('rejects a response that may come from another server', async () => {
  const signingIn = login();
  const location = await signedIn(await printed(signingIn));
  location.searchParams.set('iss', 'https://evil.example');
  const page = await fetch(location);
  expect(page.status).toBe(400);
  expect(await page.text()).toContain('The sign-in failed');
  const { code, stderr } = await signingIn.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: the response of \S+ can't be trusted: .*"iss"/);
});

test('reports that the user denied access', async () => {
  const signingIn = login();
  const browser = createBrowser(service.base_url);
  const page = await browser.open((await printed(signingIn)).href);
  const { location } = await browser.submit(page, page.forms.at(-1)!, { action: 'cancel' });
  await fetch(location!);
  const { code, stdout, stderr } = await signingIn.ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/error: the sign-in was rejected: .*\(access_denied\)\n$/);
});

test('stops waiting after the timeout', async () => {
  const { code, stderr } = await login('--timeout-s', '1').ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: no one signed in within 1 s\n$/);
});

test('says in one line what to do without a service, sign-in, or URL, or with a wrong service', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const otherName = service.base_url.replace('127.0.0.1', 'localhost');
  const cliAt = (...args: string[]) => runCli(args, env);
  const [noService, noSignIn, noAddress, renamed, plain] = await Promise.all([
    cliAt('login', '--base-url', nowhere, '--client-id', 'x'),
    cliAt('token', '--base-url', nowhere),
    cliAt('login'),
    cliAt('login', '--base-url', otherName, '--client-id', 'x'),
    cliAt('login', '--base-url', 'http://api.example', '--client-id', 'x'),
  ]);
  expect(noService).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: no response from .*\n$/) });
  expect(noSignIn).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: not signed in at .*login.*\n$/) });
  expect(noAddress).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: no service runs in this checkout.*--base-url.*\n$/),
  });
  expect(renamed.stderr).toBe(
    `error: the service at ${otherName} calls itself ${service.base_url}: use --base-url ${service.base_url}\n`,
  );
  expect(plain.stderr).toMatch(/^error: http:\/\/api\.example must be https/);
});

test('signs out: revokes the tokens on the service and deletes them locally', async () => {
  const saved = JSON.parse(await readFile(credentials, 'utf8'));
  const { access_token: accessToken, refresh_token: refreshToken } = saved[service.base_url];
  expect((await authUser(accessToken)).status).toBe(200);
  await writeFile(credentials, JSON.stringify({ ...saved, 'https://api.example': saved[service.base_url] }));

  const out = await cli('logout', '--json');
  expect(out).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(out.stdout)).toEqual({ base_url: service.base_url, revoked: true });
  await eventually(async () => expect((await authUser(accessToken)).status).toBe(401));
  const refreshed = await tokenRequest(
    service.base_url,
    { id: clientId },
    { grant_type: 'refresh_token', refresh_token: refreshToken },
  );
  expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' });
  expect(Object.keys(JSON.parse(await readFile(credentials, 'utf8')))).toEqual(['https://api.example']);
  expect((await stat(credentials)).mode & 0o777).toBe(0o600);

  expect(await cli('logout')).toMatchObject({ code: 1, stderr: `error: not signed in at ${service.base_url}\n` });
  await writeFile(credentials, JSON.stringify(saved)); // for the tests below
});

test('keeps the tokens if the service can’t be reached, unless forced', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const saved = JSON.parse(await readFile(credentials, 'utf8'));
  await writeFile(credentials, JSON.stringify({ ...saved, [nowhere]: saved[service.base_url] }));
  const logout = (...args: string[]) => runCli(['logout', '--base-url', nowhere, ...args], env);
  const unheard = await logout();
  expect(unheard).toMatchObject({ code: 1, stdout: '' });
  expect(unheard.stderr).toMatch(/^error: no response from \S+ .*the tokens are kept: `logout --local` .*\n$/);
  expect(JSON.parse(await readFile(credentials, 'utf8'))).toHaveProperty([nowhere]);
  expect(await logout('--local')).toMatchObject({ code: 0, stdout: expect.stringContaining('until they expire') });
  expect(JSON.parse(await readFile(credentials, 'utf8'))).toEqual(saved);
});

test('reports a sign-in that was revoked', async () => {
  await revokeClient(database.db, clientId);
  await changeSignIn({ expires_at: new Date().toISOString() });
  const { code, stdout, stderr } = await cli('token');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: the sign-in at \S+ has ended: run `npm run cli -- login .*`\n$/);
  expect(await cli('logout')).toMatchObject({ code: 0, stderr: '' }); // nothing is left to revoke
});

/** Changes the stored sign-in. @returns what was stored before */
async function changeSignIn(changed: Record<string, string>): Promise<Record<string, string>> {
  const saved = JSON.parse(await readFile(credentials, 'utf8'));
  const before = saved[service.base_url];
  await writeFile(credentials, JSON.stringify({ ...saved, [service.base_url]: { ...before, ...changed } }));
  return before;
}
