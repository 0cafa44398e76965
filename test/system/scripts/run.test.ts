import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startDevelopment } from '../../../scripts/run/development.ts';
import { quiet } from '../../../scripts/run/progress.ts';
import { isAlive } from '../../../src/platform/embedded/folder-lock.ts';
import { startProblem } from '../../../src/platform/process/start-problem.ts';
import { runCli } from '../../helpers/cli.ts';
import { type Running, run, start, temporaryFolder } from '../../helpers/command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
/** The first start, which has ended, and the second one. */
let empty: Running;
let service: Running;
let isMarkedRunning: boolean;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, 'config'), DATA_DIR: join(folder.path, 'data') };
  const occupier = createServer();
  await new Promise<unknown>((done) => occupier.once('error', done).listen(8080, '127.0.0.1', () => done(0))); // unless it is
  const SMTP_URL = 'smtp://user:secret-of-smtp@127.0.0.1:2525';
  empty = start('scripts/run/run.ts', [], { ...env, SMTP_URL, COMPANY: 'empty' });
  await empty.waitForOutput(/Ctrl-C stops it/);
  await endByGroup(empty);
  await empty.ended;
  isMarkedRunning = existsSync(join(env.DATA_DIR!, 'service.json'));
  occupier.close();
  service = start('scripts/run/run.ts', [], env);
  await service.waitForOutput(/Ctrl-C stops it/);
});

/** As Ctrl-C does: make passes the signal on, so that it arrives twice. */
async function endByGroup({ pid }: Running): Promise<void> {
  process.kill(pid, 'SIGINT');
  await sleep(5); // two at once may arrive as one
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
}

afterAll(async () => {
  process.kill(service.pid, 'SIGTERM');
  await service.ended;
  await folder.remove();
});

const printed = async (pattern: RegExp) => (await service.waitForOutput(pattern))[1]!;
const baseUrl = () => printed(/^ {2}Console +(\S+)\/console$/m);

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response.
async function getJson(baseUrl: string, token: string, companyId: string, path: string): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': companyId };
  const response = await fetch(baseUrl + path, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

test('the first start makes the tables, at a free port, and stops cleanly; COMPANY=empty has only an admin; a mail server is mentioned', async () => {
  const { code, stdout, stderr } = await empty.ended;
  expect({ code, stderr, isMarkedRunning }).toEqual({ code: 0, stderr: '', isMarkedRunning: false });
  expect(stdout).toMatch(/database \(the first time takes a moment\) … Postgres 18 in /);
  expect(stdout).toMatch(/tables … made by \d+ migrations? /);
  expect(stdout).not.toContain('127.0.0.1:8080');
  expect(stdout).toMatch(/company … Rio Claro Serviços with nobody but its admin /);
  expect(stdout).toMatch(/^ {2}Mails {6}sent by 127\.0\.0\.1:2525$/m);
  expect(stdout).not.toContain('secret-of-smtp');
});

test('the next start, with the demo company, keeps data and port, and says what it does, and what to do next', async () => {
  const { stdout, stderr } = service.output;
  expect(stderr).toBe('');
  expect(stdout).toMatch(/tables … up to date/);
  expect((await empty.ended).stdout).toContain(`  Console    ${await baseUrl()}/console\n`);
  expect(stdout).toMatch(/demo company … Verde Logística with 120 people and a month of history /);
  expect(stdout).toMatch(
    /^Ready in \S+ s\. Open the console, and sign in:\n\n {2}Console {4}http:\S+\n {2}Sign in {4}admin /m,
  );
  for (const role of ['admin', 'manager', 'employee'])
    expect(stdout).toMatch(new RegExp(`${role} +\\S+@verdelog.example`));
  expect(stdout).toContain('npm run cli -- login');
  expect(stdout).toContain(`Mails      kept as files in ${join(env.DATA_DIR!, 'outbox')}\n`);
  expect((await stat(join(env.DATA_DIR!, 'service.log'))).mode & 0o777).toBe(0o600);
});

test('the printed curl command works when pasted into any shell folder', async () => {
  const command = await printed(/^ {2}(curl [\s\S]*?\)")$/m);
  expect(command).toContain(`${await baseUrl()}/v1/collaborators`);
  const substitution = /\$\((npm .*)\)"$/.exec(command)![1]!;
  const { stdout: token } = await promisify(execFile)('sh', ['-c', substitution], {
    cwd: folder.path,
    env: { ...env, PATH: process.env.PATH },
  });
  const companyId = /X-Company-Id: (\S+)"/.exec(command)![1]!;
  const headers = { authorization: `Bearer ${token.trim()}`, 'x-company-id': companyId };
  const response = await fetch(/"(http\S+)"/.exec(command)![1]!, { headers });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { length: 3 }, meta: { total: 120 } });
});

test('no console screen is empty: there is a month of history, and an invitation that expires soon', async () => {
  // Without a URL, the command line uses the service of this checkout.
  const { stdout } = await runCli(['token', '--json'], env);
  const { access_token: token, base_url: tokenUrl } = JSON.parse(stdout);
  expect(tokenUrl).toBe(await baseUrl());
  const companyId = await printed(/X-Company-Id (\S+)$/m);
  const get = async (path: string) => getJson(tokenUrl, token, companyId, path);
  const pages = await Promise.all([1, 2].map((page) => get(`/v1/collaborators?per_page=100&page=${page}`)));
  const all = pages.flatMap(({ data }) => data) as Record<string, unknown>[];
  expect(
    Map.groupBy(all, ({ status }) => status)
      .keys()
      .toArray()
      .sort(),
  ).toEqual(['active', 'inactive', 'pending']);
  expect(all.filter(({ avatar_url: avatarUrl }) => avatarUrl).length).toBeGreaterThan(20);
  expect(all.filter(({ manager_id: managerId }) => managerId === null).length).toBe(1);
  expect(new Set(all.map(({ manager_id: managerId }) => managerId)).size).toBeGreaterThan(15);

  const { data: webhooks } = await get('/v1/webhooks');
  const states = webhooks.map(
    ({ description, status, consecutive_failures: consecutiveFailures }: Record<string, unknown>) => {
      return [description, status, Number(consecutiveFailures) > 0];
    },
  );
  expect(states.sort()).toEqual([
    ['Badge printer', 'deactivated', true],
    ['Payroll bridge', 'active', true],
    ['Shift planner', 'active', false],
  ]);
  for (const { id } of webhooks) expect((await get(`/v1/webhooks/${id}/deliveries`)).data).not.toEqual([]);

  const { data: imports } = await get('/v1/imports');
  const endings = imports.map(({ status, dry_run: dryRun }: Record<string, unknown>) => [status, dryRun]);
  expect(endings).toEqual([
    ['completed_with_errors', true],
    ['failed', false],
    ['completed_with_errors', false],
    ['completed', false],
  ]);
  expect((await get('/v1/apps')).data).toMatchObject([{ name: 'Escala' }, { name: 'Ponto Fácil' }]);
  const names = (await get('/v1/connections')).data.map(({ app, kind }: { app: { name: string }; kind: string }) => [
    app.name,
    kind,
  ]);
  expect(names).toEqual(
    expect.arrayContaining([
      ['Ponto Fácil', 'person'],
      ['Escala', 'installation'],
    ]),
  );
  const monthAgo = new Date(Date.now() - 27 * 86_400_000).toISOString();
  expect((await get(`/v1/audit?until=${monthAgo}`)).data).not.toEqual([]);

  const { data: invitees } = await get('/v1/collaborators?search=beatriz.lima');
  const { invitation } = await get(`/v1/collaborators/${invitees[0].id}/status`);
  const remainingMs = Date.parse(invitation.expires_at) - Date.now();
  expect([invitation.state, remainingMs > 0, remainingMs < 86_400_000]).toEqual(['sent', true, true]);
  const { data: history } = await get(`/v1/collaborators/${invitees[0].id}/history`);
  const [invited, created] = history;
  expect([invited.action, created.action]).toEqual(['invited', 'created']);
  expect(Date.parse(invited.timestamp) - Date.parse(created.timestamp)).toBeGreaterThan(20 * 86_400_000);
});

test('a command joins the running database', async () => {
  const clients = await runCli(['client', 'list', '--json'], env);
  const own = JSON.parse(clients.stdout).data.filter(
    ({ company_id: companyId }: { company_id: unknown }) => companyId === null,
  );
  expect(own).toMatchObject([
    { id: 'api-reference', public: true },
    { id: 'account-page', public: true },
    { id: 'console', public: true },
    { id: 'command-line', public: true },
  ]);
});

test('the demo finds the running service, and fails with the failed step', async () => {
  const copy = join(folder.path, 'copy');
  await mkdir(copy);
  const settings = await readFile(join(env.DATA_DIR!, 'development.env'), 'utf8');
  await writeFile(join(copy, 'development.env'), settings.replace(/^DEMO_PASSWORD=.*$/m, 'DEMO_PASSWORD=wrong'));
  await writeFile(join(copy, 'service.json'), await readFile(join(env.DATA_DIR!, 'service.json')));
  const { code, stdout, stderr } = await run('scripts/demo/demo.ts', [], { ...env, DATA_DIR: copy });
  expect(code).toBe(1);
  expect(stdout).toContain(`${await baseUrl()}, the service that runs in this checkout`);
  expect(stderr).toMatch(/^\nstep 1 \(.*\) failed: .* responded 401: That email address and password/);
});

test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
  [
    'a port in use',
    async () => ({ PORT: new URL(await baseUrl()).port }),
    /^port \d+ is in use; set PORT to another one$/,
  ],
  ['production', async () => ({ NODE_ENV: 'production' }), /^NODE_ENV is production: /],
])('rejects %s', async (_, settings, problem) => {
  const started = startDevelopment({ ...env, DATA_DIR: join(folder.path, 'elsewhere'), ...(await settings()) }, quiet);
  expect(await started.then(() => 'it started', startProblem)).toMatch(problem);
});
