/** An interrupted test run leaves neither its database nor its processes behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../src/platform/embedded/folder-lock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { databaseOf, descendantsOf } from '../../helpers/test-run.ts';

const slow = ['test/api/operations/imports/importCollaborators.test.ts', 'test/api/http/idempotency.test.ts'];

// own-postgres.test.ts checks both signals.
test('SIGINT ends the workers and Postgres, and removes the folder', async () => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'DATABASE_URL' && !/^(TEST|JEST)_/.test(name)),
  );
  const jest = ['node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2', '--runTestsByPath', ...slow];
  const run = spawn(process.execPath, jest, { env, stdio: 'ignore' });
  const started = await eventually(() => {
    const workers = descendantsOf(run.pid!).filter(({ command }) => command.includes('processChild.js'));
    expect(workers).toHaveLength(2);
    return workers.map(({ pid }) => pid);
  });
  const database = await databaseOf(run.pid!, ['/dev/shm', tmpdir()]);
  const postgres = Number((await readFile(join(database, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
  expect(isAlive(postgres)).toBe(true);
  const ended = once(run, 'exit');
  run.kill('SIGINT');
  await ended;
  await eventually(() => expect([...started, postgres].filter(isAlive)).toEqual([]));
  expect(existsSync(database)).toBe(false);
});
