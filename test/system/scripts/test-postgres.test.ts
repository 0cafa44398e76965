/** Interrupting `make proof NAME=postgres` leaves no process behind. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { start, temporaryFolder } from '../../helpers/command.ts';
import { eventually } from '../../helpers/eventually.ts';

/** Installs the latest version, and runs a slow test file. */
const few = ['--versions', '18', 'test/platform/sheets/read/read-xlsx.unit.test.ts'];

/** All descendants of this process. */
function below(pid: number): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map((line) => {
    const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!;
    return { pid: Number(own), parent: Number(parent), command: command! };
  });
  const of = (parent: number): typeof all =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...of(each.pid)]);
  return of(pid);
}

/** The database folder of the process. */
async function databaseOf(pid: number, places: string[]): Promise<string> {
  for (const place of places.filter(existsSync)) {
    const folders = (await readdir(place)).map((name) => join(place, name));
    const found = folders.find((folder) => existsSync(join(folder, 'users', String(pid))));
    if (found) return found;
  }
  throw new Error('there is no database');
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the tests and Postgres, and removes the folder', async (signal) => {
  const folder = await temporaryFolder();
  const running = start('scripts/proof/test-postgres/test-postgres.ts', few, {
    TMPDIR: folder.path,
    HOME: folder.path,
  });
  await running.saw(/^Postgres 18/m);
  const started = await eventually(() => {
    const found = below(running.pid);
    expect(found.map(({ command }) => command).join('\n')).toMatch(/jest\.js/);
    return found;
  });
  const database = await databaseOf(running.pid, ['/dev/shm', folder.path]);
  const postgres = Number((await readFile(join(database, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
  expect(isAlive(postgres)).toBe(true);
  process.kill(running.pid, signal);
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/interrupted\n$/) });
  expect([...started.map(({ pid }) => pid), postgres].filter(isAlive)).toEqual([]);
  expect(existsSync(database)).toBe(false);
  expect((await readdir(folder.path)).filter((name) => name.startsWith('test-postgres-'))).toEqual([]);
  await folder.remove();
});
