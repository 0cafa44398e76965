// Where a document comes from: a file, a revision of git, or an address on this machine. All of them are read in batches.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { posix, relative, resolve as resolvePath } from 'node:path';
import { CannotCompare } from '../model/cannot-compare.ts';
import { newestRelease } from './released.ts';

/** A place that files are read from. Names of files are those of this place: paths, or addresses. */
export interface Source {
  /** The name of the document itself. */
  readonly entry: string;
  /** The name of the file that `reference`, written in the file `from`, means. */
  resolve(reference: string, from: string): string;
  /** The texts of these files. A file that does not exist is left out. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A file's name as a person wants to see it. */
  show(name: string): string;
}

/**
 * The source that an argument of the command line means: an address (http, on this machine only), a file that exists, a
 * folder of releases, of which the newest is meant, or `REV:path` of git, whose path is seen from the root of the repository (or from here with `./`, as git has it).
 *
 * @throws CannotCompare when it is none of them
 */
export function sourceOf(argument: string): Source {
  if (/^https?:\/\//i.test(argument)) return addressSource(argument);
  const there = statSync(argument, { throwIfNoEntry: false });
  if (there?.isDirectory()) {
    const newest = newestRelease(argument);
    if (newest === undefined) throw new CannotCompare(`There is no release in ${argument} yet.`);
    return fileSource(newest);
  }
  if (there) return fileSource(argument);
  const revision = /^([^:]+):(.+)$/.exec(argument);
  if (revision) return gitSource(revision[1]!, revision[2]!);
  throw new CannotCompare(`There is no file ${argument}.`);
}

function fileSource(path: string): Source {
  return {
    entry: resolvePath(path),
    resolve: (reference, from) => resolvePath(from, '..', decodeURIComponent(reference)),
    show: (name) => {
      const near = relative(process.cwd(), name);
      return near.startsWith('..') ? name : near;
    },
    // One after the other: for many small files that takes a tenth of the time of reading them side by side.
    read: async (names) => {
      const found = new Map<string, string>();
      for (const name of names) {
        const text = readIfThere(name);
        if (text !== undefined) found.set(name, text);
      }
      return found;
    },
  };
}

function readIfThere(name: string): string | undefined {
  try {
    return readFileSync(name, 'utf8');
  } catch {
    return undefined;
  }
}

/** Reads with one `git cat-file --batch` for each batch: a process for each file would take longer than the comparison. */
function gitSource(revision: string, path: string): Source {
  const entry = path.startsWith('./') ? git(['rev-parse', '--show-prefix']).trim() + path.slice(2) : path;
  if (spawnSync('git', ['rev-parse', '--verify', '--quiet', `${revision}^{object}`]).status !== 0)
    throw new CannotCompare(`There is no file ${revision}:${path}, and git knows no revision ${revision}.`);
  return {
    entry: posix.normalize(entry),
    resolve: (reference, from) => posix.join(posix.dirname(from), decodeURIComponent(reference)),
    show: (name) => `${revision}:${name}`,
    read: async (names) => {
      const { stdout } = spawnSync('git', ['cat-file', '--batch'], {
        input: names.map((name) => `${revision}:${name}\n`).join(''),
        maxBuffer: 2 ** 30,
      });
      const found = new Map<string, string>();
      let start = 0;
      for (const name of names) {
        const line = stdout.indexOf(10, start);
        const [, type, size] = /^\S+ (\S+) (\d+)$/.exec(stdout.toString('utf8', start, line)) ?? [];
        start = line + 1;
        if (size === undefined) continue; // "<name> missing"
        if (type === 'blob') found.set(name, stdout.toString('utf8', start, start + Number(size)));
        start += Number(size) + 1;
      }
      return found;
    },
  };
}

function git(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new CannotCompare(`git ${args.join(' ')}: ${stderr?.trim() || 'git could not be started'}`);
  return stdout;
}

/** Only this machine is asked: a comparison must not depend on, or tell anything to, the world outside. */
function addressSource(address: string): Source {
  return {
    entry: new URL(address).href,
    resolve: (reference, from) => new URL(reference, from).href,
    show: (name) => name,
    read: async (names) => {
      const found = new Map<string, string>();
      for (const name of names) {
        const { hostname } = new URL(name);
        if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
          throw new CannotCompare(`${name} is not on this machine. Fetch it first, and compare the file.`);
        const answer = await fetch(name, { redirect: 'error', signal: AbortSignal.timeout(30_000) }).catch(
          (cause: unknown) => {
            throw new CannotCompare(`${name} does not answer: ${(cause as Error).message}`);
          },
        );
        if (answer.ok) found.set(name, await answer.text());
      }
      return found;
    },
  };
}
