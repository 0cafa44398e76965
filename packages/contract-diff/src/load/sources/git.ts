// Files of a git revision.
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import { isGlob, matching } from './glob.ts';
import type { Source, SourceOptions } from './source.ts';
import { decoded, textOfBytes, tooLarge } from './text.ts';

const maxListBytes = 2 ** 30;
/** At most what `git cat-file --batch` prints about a file besides its content and its name. */
const maxHeaderBytes = 200;

/**
 * The document at a path of a revision, and the files it refers to in that revision.
 *
 * @param revision empty for staged files
 * @param path relative to the root of the repository, or with `./` to the working directory, as in git; with `*`, a glob
 * @throws CannotCompare when git doesn't know the revision, or a glob matches nothing
 */
export function gitSource(revision: string, path: string, { maxBytes }: SourceOptions): Source {
  const entry = path.startsWith('./') ? git(['rev-parse', '--show-prefix']).trim() + path.slice(2) : path;
  const show = (name: string) => `${revision}:${name}`;
  const revisionArgument = revision === '' ? '--git-dir' : `${revision}^{object}`;
  const known = spawnSync('git', ['rev-parse', ...(revision === '' ? [] : verifyOptions), revisionArgument]);
  if (known.error) throw new CannotCompare(`There is no file ${show(path)}, and git couldn't be started.`);
  if (known.status !== 0)
    throw new CannotCompare(`There is no file ${show(path)}, and git knows no revision ${revision || 'at all'} here.`);
  return {
    entry: posix.normalize(entry),
    ...(isGlob(entry) && { parts: matching(posix.normalize(entry), namesIn(revision), show(path)) }),
    resolve: (reference, from) =>
      /^[a-z][a-z\d+.-]+:/i.test(reference) ? undefined : posix.join(posix.dirname(from), decoded(reference)),
    show,
    // One process per batch: one per file would take longer than the comparison.
    read: async (names) => {
      const { stdout } = spawnSync('git', ['cat-file', '--batch'], {
        input: names.map((name) => `${revision}:${name}\n`).join(''),
        // Only exceeded after the header of a file that is too large.
        maxBuffer: names.reduce((sum, name) => sum + Buffer.byteLength(show(name)) + maxHeaderBytes + maxBytes, 0),
      });
      const found = new Map<string, string>();
      let start = 0;
      for (const name of names) {
        const line = stdout.indexOf(10, start);
        const [, type, size] = /^\S+ (\S+) (\d+)$/.exec(stdout.toString('utf8', start, line)) ?? [];
        start = line + 1;
        if (size === undefined) continue; // "<name> missing"
        if (type === 'tree') throw new CannotCompare(`${show(name)} is a folder.`);
        if (Number(size) > maxBytes) throw tooLarge(show(name), maxBytes, Number(size));
        if (type === 'blob') found.set(name, textOfBytes(stdout.subarray(start, start + Number(size)), show(name)));
        start += Number(size) + 1;
      }
      return found;
    },
  };
}

/** All files of a revision, or all staged files. */
const namesIn = (revision: string): string[] =>
  git(
    revision === ''
      ? ['ls-files', '-z', '--full-name', ':/']
      : ['ls-tree', '-rz', '--full-tree', '--name-only', revision],
  )
    .split('\0')
    .filter(Boolean);

const verifyOptions = ['--verify', '--quiet', '--end-of-options'];

function git(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: maxListBytes });
  if (status !== 0) throw new CannotCompare(`git ${args.join(' ')}: ${stderr?.trim() || "git couldn't be started"}`);
  return stdout;
}
