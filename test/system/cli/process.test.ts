/** What only a process of the command line shows: exit codes, signals, npm, and the embedded database. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { runCli } from '../../helpers/cli.ts';
import { run } from '../../helpers/command.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ roles: ['api'] }); // without a worker, imports wait forever
});
afterAll(() => here.close());

test('wrong usage: exit code 2, message on stderr', async () => {
  const { code, stdout, stderr } = await run('src/cli.ts', ['companies'], {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: unknown command 'companies'/);
});

test('with npm, resolves paths against the caller’s folder', async () => {
  const args = ['--prefix', process.cwd(), 'run', '-s', 'cli', '--', 'export', '-o', 'one.csv', '--base-url'];
  const { stdout } = await promisify(execFile)('npm', [...args, here.service.base_url], {
    cwd: here.folder,
    env: { PATH: process.env.PATH, ...here.env },
  });
  expect(stdout).toMatch(/^one\.csv: 1 collaborators, /);
  expect(await readdir(here.folder)).toContain('one.csv');
});

test('Ctrl-C cancels the import on the service', async () => {
  const before = await readdir(here.folder);
  await writeFile(join(here.folder, 'new.csv'), 'Name,Email,Position,Department\nMia,mia@verde.example,Driver,Fleet\n');
  const running = here.start('import', 'new.csv');
  await running.waitForOutput(/^0 % Queued/);
  process.kill(running.pid, 'SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(/error: canceled; rows already written: 0\n$/);
  expect(await here.database.query('select status from imports')).toEqual([{ status: 'cancelled' }]);
  expect(await readdir(here.folder)).toEqual([...before, 'new.csv'].sort());
});

test('Ctrl-C stops waiting for an export, and leaves no file', async () => {
  const before = await readdir(here.folder);
  const holder = new pg.Client(here.database.url);
  await holder.connect();
  await holder.query('begin; lock table exports');
  const running = here.start('export', '-o', 'all.csv');
  await eventually(async () => expect(await lockWaiters(here.database)).toBeGreaterThan(0));
  process.kill(running.pid, 'SIGINT');
  expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: 'error: interrupted\n' });
  await holder.end();
  expect(await readdir(here.folder)).toEqual(before);
});

test('without DATABASE_URL, starts the embedded database temporarily with a stored key', async () => {
  const { DATABASE_URL: _, ENCRYPTION_KEY: __, ...local } = here.env;
  const create = ['client', 'create', '--public', '--name', 'X', '--redirect-uri', 'http://127.0.0.1/'];
  expect(await runCli(create, local)).toMatchObject({ code: 0, stderr: '' });
  const postgres = join(local.DATA_DIR!, 'postgres');
  expect(await readdir(join(postgres, 'users'))).toEqual([]);
  const { port } = JSON.parse(await readFile(join(postgres, 'connection.json'), 'utf8'));
  const connected = new pg.Client({ host: '127.0.0.1', port }).connect();
  await expect(connected).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const envFile = join(local.DATA_DIR!, 'development.env');
  expect((await stat(envFile)).mode & 0o777).toBe(0o600);
  const listed = await runCli(['client', 'list', '--json'], local);
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ name: 'X' }]);
});
