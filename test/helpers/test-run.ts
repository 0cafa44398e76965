/** Finds what a test run started: its processes, and its database. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** All descendants of this process. */
export function descendantsOf(pid: number): { pid: number; command: string }[] {
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
export async function databaseOf(pid: number, directories: string[]): Promise<string> {
  for (const directory of directories.filter(existsSync)) {
    const folders = (await readdir(directory)).map((name) => join(directory, name));
    const found = folders.find((folder) => existsSync(join(folder, 'users', String(pid))));
    if (found) return found;
  }
  throw new Error('there is no database');
}
