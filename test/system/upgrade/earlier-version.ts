/** The sources of an earlier version, as the repository's own history has them, with the packages of this checkout. */
import { execFile } from 'node:child_process';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Until there is a released version: a commit whose service runs with the packages of today. */
const first_upgraded = '7158f4259c36947f4936425ef878836a3158e7ed';

/**
 * What is upgraded from: FROM, else the last version that was released before this commit, else a fixed commit, else, in a
 * clone without the history, what is committed now.
 * @throws for a FROM that the history does not have
 */
export async function earlierCommit(): Promise<string> {
  const { FROM } = process.env;
  const wanted = FROM ? [FROM] : [(await lastRelease()) ?? first_upgraded, 'HEAD'];
  for (const name of wanted) {
    const commit = await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    if (commit) return commit;
  }
  throw new Error(`there is no ${wanted.join(' or ')} in the history of this clone`);
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
  // By a file: tar may stop reading before git has written all, and a pipe between them would be cut off then.
  const file = join(folder, 'sources.tar');
  const run = promisify(execFile);
  const parts = ['src', 'generated', 'openapi', 'docs', 'packages', 'package.json'];
  await run('git', ['archive', '--format=tar', `--output=${file}`, commit, ...parts], { cwd: checkout });
  await run('tar', ['-x', '-f', file, '-C', folder]);
  await rm(file);
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
}

/** Whether it starts on a database that a newer version has migrated: those from before this was thought of do not. */
export async function startsOnNewerDatabase(folder: string): Promise<boolean> {
  return (await readFile(join(folder, 'src/platform/schema/migrate.ts'), 'utf8')).includes('works_from');
}
