/** The sources of an earlier version, as the repository's own history has them, with the packages of this checkout. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Until there is a released version: a commit whose service runs with the packages of today. */
const first_upgraded = '7158f4259c36947f4936425ef878836a3158e7ed';

/**
 * What is upgraded from: FROM, else the last version that was released before this commit, else a fixed commit.
 * @returns undefined where the history does not have it, as in a shallow clone or in an archive of the sources
 */
export async function earlierCommit(): Promise<string | undefined> {
  const asked = process.env.FROM || (await lastRelease()) || first_upgraded;
  return git('rev-parse', '--verify', '--quiet', `${asked}^{commit}`);
}

function lastRelease(): Promise<string | undefined> {
  return git('describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0', 'HEAD^');
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: checkout });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Writes the sources of a commit into a folder, which is there. */
export async function unpack(commit: string, folder: string): Promise<void> {
  const archive = spawn(
    'git',
    ['archive', '--format=tar', commit, 'src', 'generated', 'openapi', 'docs', 'packages', 'package.json'],
    {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const files = spawn('tar', ['-x', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = Promise.all([once(archive, 'exit'), once(files, 'exit')]);
  await pipeline(archive.stdout, files.stdin);
  for (const [code] of await ended) if (code !== 0) throw new Error(`the sources of ${commit} could not be unpacked`);
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
}

/** Whether it starts on a database that a newer version has migrated: those from before this was thought of do not. */
export async function startsOnNewerDatabase(folder: string): Promise<boolean> {
  return (await readFile(join(folder, 'src/platform/schema/migrate.ts'), 'utf8')).includes('works_from');
}
