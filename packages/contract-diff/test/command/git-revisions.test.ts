// Documents from a git revision and from the index.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from './built-command.ts';

const command = builtCommand();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-revisions-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('compares staged changes with the last commit', async () => {
  const repository = join(folder, 'repository');
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], { cwd: repository });
  await mkdir(repository);
  git('init', '-q');
  const one = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1.0.0' },
    paths: { '/a': { get: {} } },
  });
  await writeFile(join(repository, 'openapi.json'), one);
  git('add', '.');
  git('commit', '-qm', 'one');
  const compareStaged = () =>
    spawnSync(process.execPath, [command, 'HEAD:openapi.json', ':openapi.json'], { cwd: repository, encoding: 'utf8' });
  expect(compareStaged()).toMatchObject({ status: 0 });
  await writeFile(join(repository, 'openapi.json'), one.replace('get', 'put'));
  expect(compareStaged()).toMatchObject({ status: 0 });
  git('add', '.');
  expect(compareStaged()).toMatchObject({ status: 1, stdout: expect.stringContaining('(:openapi.json:') });
});
