/** Interrupting `make proof NAME=postgres` leaves no process behind. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../../src/platform/embedded/folder-lock.ts';
import { start, temporaryFolder } from '../../helpers/command.ts';
import { eventually } from '../../helpers/eventually.ts';
import { databaseOf, descendantsOf } from '../../helpers/test-run.ts';

/** Installs the latest version, and runs a slow test file. */
const few = ['--versions', '18', 'test/platform/sheets/read/read-xlsx.unit.test.ts'];

test('SIGTERM ends the tests and Postgres, and removes the folder', async () => {
  const folder = await temporaryFolder();
  const running = start('scripts/proof/test-postgres/test-postgres.ts', few, {
    TMPDIR: folder.path,
    HOME: folder.path,
  });
  await running.waitForOutput(/^Postgres 18/m);
  const started = await eventually(() => {
    const found = descendantsOf(running.pid);
    expect(found.map(({ command }) => command).join('\n')).toMatch(/jest\.js/);
    return found;
  });
  const database = await databaseOf(running.pid, ['/dev/shm', folder.path]);
  const postgres = Number((await readFile(join(database, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
  expect(isAlive(postgres)).toBe(true);
  process.kill(running.pid, 'SIGTERM');
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/interrupted\n$/) });
  expect([...started.map(({ pid }) => pid), postgres].filter(isAlive)).toEqual([]);
  expect(existsSync(database)).toBe(false);
  expect((await readdir(folder.path)).filter((name) => name.startsWith('test-postgres-'))).toEqual([]);
  await folder.remove();
});
