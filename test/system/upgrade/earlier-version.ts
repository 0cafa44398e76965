/** The sources of an earlier version from the repository's history, with the packages of this checkout. */
import { execFile } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The schema of the first release; earlier data is rejected. */
const firstSchema = 'src/platform/schema/migrations/0001_first_release.sql';

/**
 * The version to upgrade from: FROM, else the last release before this commit, else the first commit with the schema of
 * the first release, else, in a clone without history, HEAD.
 * @throws if FROM isn't in the history
 */
export async function earlierCommit(): Promise<string> {
  const { FROM } = process.env;
  const candidates = FROM ? [FROM] : [(await lastRelease()) ?? (await firstWithItsSchema()) ?? 'HEAD', 'HEAD'];
  for (const name of candidates) {
    const commit = await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    if (commit) return commit;
  }
  throw new Error(`there is no ${candidates.join(' or ')} in the history of this clone`);
}

function lastRelease(): Promise<string | undefined> {
  return git('describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0', 'HEAD^');
}

/** That schema may change until the first release. */
function firstWithItsSchema(): Promise<string | undefined> {
  return git('log', '-1', '--format=%H', '--', firstSchema);
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: checkout });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Writes the sources of a commit into an existing folder. */
export async function unpack(commit: string, folder: string): Promise<void> {
  // Use a file: tar may stop reading before git has written everything, which would break a pipe.
  const file = join(folder, 'sources.tar');
  const run = promisify(execFile);
  const parts = ['src', 'generated', 'openapi', 'docs', 'packages', 'package.json'];
  await run('git', ['archive', '--format=tar', `--output=${file}`, commit, ...parts], { cwd: checkout });
  await run('tar', ['-x', '-f', file, '-C', folder]);
  await rm(file);
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
}
