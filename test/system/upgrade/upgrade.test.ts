/**
 * An earlier version and this one share a database: a process of this one is added, and the earlier one replaced, under load, behind
 * a proxy that never retries. No request fails, and nothing acknowledged is lost.
 *
 * `make proof NAME=upgrade FROM=<commit>` tests any earlier commit.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signIn, tokenRequest } from '../../helpers/identity/oauth.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { startProxy, type TestProxy } from '../../helpers/network/proxy.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { testSettings } from '../../helpers/settings.ts';
import { earlierCommit, unpack } from './earlier-version.ts';
import { load } from './load.ts';

const commit = await earlierCommit();

const admin = { email: 'mariana@verde.example', password: 'correct horse battery staple' };
const redirectUri = 'http://127.0.0.1/callback';

let folder: string;
let database: TestDatabase;
let hooks: Receiver;
let proxy: TestProxy;
let ports: number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
  database = await testDatabase(1, { template: 'template0' });
  hooks = await receiver();
  ports = [await freePort(), await freePort()];
  proxy = await startProxy(ports);
});
afterAll(async () => {
  await proxy.close();
  killProcesses();
  await hooks.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  BASE_URL: proxy.url,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SHUTDOWN_DELAY_MS: '500',
  // Else a busy machine counts as an overload, in which a request gets 503.
  DATABASE_CONNECT_TIMEOUT_MS: '100000',
  DATABASE_STATEMENT_TIMEOUT_MS: '100000',
  DATABASE_LOCK_TIMEOUT_MS: '100000',
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '100000',
});

/** Starts both roles, of the version in the folder or of this one. */
const start = (at: number, root?: string) =>
  startProcess({ ...settings(), PORT: String(ports[at]) }, ['api', 'worker'], root);

const areReady = (count: number) => eventually(() => expect(proxy.ready()).toHaveLength(count));

test(`from ${commit.slice(0, 7)} to this version and back, no request fails and nothing is lost`, async () => {
  const earlier = join(folder, 'earlier');
  await mkdir(earlier);
  await unpack(commit, earlier);
  let old = start(0, earlier);
  await areReady(1);

  const session = await signedIn(earlier);
  const traffic = await load({ ...session, base_url: proxy.url, hookUrl: hooks.url });
  start(1); // migrates while the other process runs
  await areReady(2);
  await traffic.goesOn();
  await session.refresh();

  old.child.kill('SIGTERM');
  expect(await old.ended).toBe(0);
  await traffic.goesOn(); // on this version alone
  old = start(0, earlier);
  await areReady(2);
  await traffic.goesOn();
  await session.refresh();
  const { acknowledged, failed } = await traffic.end();

  expect(failed.slice(0, 10)).toEqual([]);
  const people = await database.query<{ email: string }>(
    "select email from collaborators where email like 'client-%' order by email",
  );
  expect(people.map(({ email }) => email)).toEqual(acknowledged.toSorted());
  await eventually(async () => {
    const open = await database.query(
      "select task_identifier, last_error from graphile_worker.jobs where task_identifier = 'sendMail' or attempts > 0",
    );
    expect(open).toEqual([]);
  });
  await eventually(() => expect(announced(hooks)).toEqual(new Set(acknowledged)));
}, 600_000);

/** Emails of people whose creation a receiver was notified of. */
function announced({ requests }: Receiver): Set<string> {
  return new Set(requests.flatMap(({ body }) => body.toString().match(/client-\d+-\d+@example\.com/) ?? []));
}

/** A company, a client, and a sign-in, created by the earlier version. */
async function signedIn(earlier: string) {
  const baseUrl = proxy.url;
  const create = (...args: string[]) => command(earlier, [...args, '--json']);
  const { company } = await create('company', 'create', '--name', 'Verde', '--admin-email', admin.email,
    '--admin-name', 'Mariana Duarte', '--admin-password', admin.password); // biome-ignore format: pairs
  const client = await create('client', 'create', '--name', 'Payroll', '--redirect-uri', redirectUri, '--public');
  const needed = ['collaborators:read', 'collaborators:write', 'history:read', 'invitations:send'];
  const scopes = [...needed, 'webhooks:manage', 'profile', 'offline_access'];
  const tokens = await signIn({ base_url: baseUrl, client, redirect_uri: redirectUri, ...admin, scopes });
  let refreshToken = tokens.refresh_token!;
  return {
    company_id: company.id as string,
    token: tokens.access_token,
    /** The session continues on either version. */
    async refresh() {
      const response = await tokenRequest(baseUrl, client, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      expect(response.status).toBe(200);
      ({ refresh_token: refreshToken } = (await response.json()) as { refresh_token: string });
    },
  };
}

async function command(root: string, args: string[]) {
  const env = { ...testSettings, ...settings(), PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/cli.ts'), ...args], { env });
  return JSON.parse(stdout);
}
