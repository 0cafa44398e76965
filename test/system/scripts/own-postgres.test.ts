import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../src/platform/embedded/folder-lock.ts';
import { eventually } from '../../helpers/eventually.ts';

const script = `
  const { ownPostgres } = await import('./scripts/run/own-postgres.ts');
  const { startProgram } = await import('./scripts/bench/harness/servers.ts');
  const { pid } = await ownPostgres(process.argv[1]);
  const server = startProgram(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], {});
  console.log(JSON.stringify([pid, Number(server)]));
  setInterval(() => {}, 1_000);`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-postgres-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('SIGTERM to a benchmark or proof ends its Postgres and its servers', async () => {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, join(folder, 'data')], { env });
  const [printed] = await once(child.stdout, 'data');
  const started: number[] = JSON.parse(printed);
  expect(started.map(isAlive)).toEqual([true, true]);
  child.kill('SIGTERM');
  child.kill('SIGTERM'); // as make does, when its process group gets the signal
  await eventually(() => expect(started.map(isAlive)).toEqual([false, false]));
});
