import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Running, run, start, temporaryFolder } from '../../helpers/command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Running;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, 'config'), DATA_DIR: join(folder.path, 'data') };
  service = start('scripts/run/run.ts', [], env);
  await service.saw(/Ctrl-C stops it/);
});

afterAll(async () => {
  process.kill(service.pid, 'SIGTERM');
  await service.ended;
  await folder.remove();
});

const printed = async (pattern: RegExp) => (await service.saw(pattern))[1]!;
const base_url = () => printed(/^Ready in \S+ s: (\S+)$/m);

test('the first start says what it does, and what to do next', async () => {
  const { stdout, stderr } = service.output;
  expect(stderr).toBe('');
  expect(stdout).toMatch(/database \(the first time takes a moment\) … Postgres 18 in /);
  expect(stdout).toMatch(/tables … made by \d+ migrations? /);
  expect(stdout).toMatch(/demo company … Verde Logística with 8 people /);
  for (const role of ['admin', 'manager', 'employee'])
    expect(stdout).toMatch(new RegExp(`${role} +\\S+@verdelog.example`));
  expect(stdout).toContain('npm run cli -- login');
  expect(stdout).toMatch(/Runs +API and worker, in this process\n/);
  expect(stdout).toContain(`Mails      kept as files in ${join(env.DATA_DIR!, 'outbox')}\n`);
  expect((await stat(join(env.DATA_DIR!, 'service.log'))).mode & 0o777).toBe(0o600);
});

test('the curl that is printed works when pasted in a shell, from anywhere', async () => {
  const command = await printed(/^ {2}(curl [\s\S]*?\)")$/m);
  expect(command).toContain(`${await base_url()}/v1/collaborators`);
  const substitution = /\$\((npm .*)\)"$/.exec(command)![1]!;
  const { stdout: token } = await promisify(execFile)('sh', ['-c', substitution], {
    cwd: folder.path,
    env: { ...env, PATH: process.env.PATH },
  });
  const company_id = /X-Company-Id: (\S+)"/.exec(command)![1]!;
  const headers = { authorization: `Bearer ${token.trim()}`, 'x-company-id': company_id };
  const answer = await fetch(/"(http\S+)"/.exec(command)![1]!, { headers });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ data: { length: 3 }, meta: { total: 8 } });
});

test('without an address the command line means the service of this checkout', async () => {
  const { code, stdout } = await run('src/cli.ts', ['token', '--json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).base_url).toBe(await base_url());
  const clients = await run('src/cli.ts', ['client', 'list', '--json'], env); // joins the database that runs
  expect(JSON.parse(clients.stdout).data).toMatchObject([
    { id: 'api-reference', public: true },
    { id: 'command-line', public: true },
  ]);
});

test('the demo uses the service that runs, as often as it likes', async () => {
  for (const time of ['first', 'second']) {
    const { code, stdout } = await run('scripts/demo/demo.ts', [], env);
    expect({ time, code }).toEqual({ time, code: 0 });
    expect(stdout).toContain(`${await base_url()}, the service that runs in this checkout`);
  }
});

test('where a mail server is set, it is named, without its password', async () => {
  const SMTP_URL = 'smtp://user:secret-of-smtp@127.0.0.1:2525';
  const other = start('scripts/run/run.ts', [], { ...env, DATA_DIR: join(folder.path, 'smtp'), SMTP_URL });
  await other.saw(/^ {2}Mails {6}sent by 127\.0\.0\.1:2525$/m);
  process.kill(other.pid, 'SIGTERM');
  expect(await other.ended).toMatchObject({ code: 0, stderr: '' });
  expect(other.output.stdout).not.toContain('secret-of-smtp');
});

test('the demo fails with the step that failed', async () => {
  const copy = join(folder.path, 'copy');
  await mkdir(copy);
  const settings = await readFile(join(env.DATA_DIR!, 'development.env'), 'utf8');
  await writeFile(join(copy, 'development.env'), settings.replace(/^DEMO_PASSWORD=.*$/m, 'DEMO_PASSWORD=wrong'));
  await writeFile(join(copy, 'service.json'), await readFile(join(env.DATA_DIR!, 'service.json')));
  const { code, stderr } = await run('scripts/demo/demo.ts', [], { ...env, DATA_DIR: copy });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\nstep 1 \(.*\) failed: .* answered 401: That email address and password/);
});

test('a second start in the same checkout, a taken port and production are refused in one line', async () => {
  const { port } = new URL(await base_url());
  const elsewhere = join(folder.path, 'elsewhere');
  const [twice, taken, production] = await Promise.all([
    run('scripts/run/run.ts', [], env),
    run('scripts/run/run.ts', [], { ...env, DATA_DIR: elsewhere, PORT: port }),
    run('scripts/run/run.ts', [], { ...env, DATA_DIR: elsewhere, NODE_ENV: 'production' }),
  ]);
  expect(twice).toMatchObject({ code: 1, stdout: '' });
  expect(twice.stderr).toMatch(/this checkout runs already at \S+ \(process \d+\).*\n$/);
  expect(taken).toMatchObject({ code: 1, stdout: '', stderr: `port ${port} is taken; set PORT to another one\n` });
  expect(production).toMatchObject({ code: 1, stdout: '' });
  expect(production.stderr).toMatch(/^NODE_ENV is production: .*\n$/);
});

test('another checkout on the same machine gets a port of its own', async () => {
  const other = start('scripts/run/run.ts', [], { ...env, DATA_DIR: join(folder.path, 'other') });
  const [, address] = await other.saw(/^Ready in \S+ s: (\S+)$/m);
  expect(address).not.toBe(await base_url());
  process.kill(other.pid, 'SIGINT');
  expect(await other.ended).toMatchObject({ code: 0, stderr: '' });
});

test('it stops cleanly, and the next start finds everything as it was', async () => {
  const before = { base_url: await base_url(), company: await printed(/X-Company-Id (\S+)$/m) };
  process.kill(service.pid, 'SIGINT');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(stat(join(env.DATA_DIR!, 'service.json'))).rejects.toMatchObject({ code: 'ENOENT' });

  service = start('scripts/run/run.ts', [], env);
  await service.saw(/Ctrl-C stops it/);
  expect(service.output.stdout).toMatch(/tables … up to date/);
  expect(service.output.stdout).toMatch(/as mariana\.duarte@verdelog\.example, kept/);
  expect({ base_url: await base_url(), company: await printed(/X-Company-Id (\S+)$/m) }).toEqual(before);
});
