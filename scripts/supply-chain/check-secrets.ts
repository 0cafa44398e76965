// Scans all files and the whole git history, or with --head only the last commit, for secrets: private keys, tokens of well-known
// services, passwords in URLs. Fails on any that is not listed as a harmless example.
import { execFileSync } from 'node:child_process';
import { harmless, secretsIn } from './secret-patterns.ts';

const megabyte = 1024 * 1024;
const revisions = process.argv.includes('--head') ? ['HEAD', '--no-walk'] : ['--all'];

/** Every blob of these revisions, once, with one of its paths. */
function* blobs(): Generator<{ id: string; path: string }> {
  const lines = git(['rev-list', '--objects', ...revisions, '--no-object-names', '--filter=object:type=blob']);
  const ids = new Set(lines.split('\n').filter(Boolean));
  for (const line of git(['rev-list', '--objects', ...revisions]).split('\n')) {
    const [id = '', ...path] = line.split(' ');
    if (ids.delete(id)) yield { id, path: path.join(' ') };
  }
}

function git(args: string[], input?: string): string {
  return execFileSync('git', args, { encoding: 'latin1', input, maxBuffer: 4_096 * megabyte });
}

/** Reads many blobs with one git process. Format: a line with id, type, and size, then the bytes. */
function* contents(ids: string[]): Generator<{ id: string; text: string }> {
  const all = git(['cat-file', '--batch'], `${ids.join('\n')}\n`);
  for (let at = 0; at < all.length; ) {
    const lineEnd = all.indexOf('\n', at);
    const [id = '', , size] = all.slice(at, lineEnd).split(' ');
    yield { id, text: all.slice(lineEnd + 1, lineEnd + 1 + Number(size)) };
    at = lineEnd + 1 + Number(size) + 1;
  }
}

const known = [...blobs()];
const paths = new Map(known.map(({ id, path }) => [id, path]));
let found = 0;
for (let from = 0; from < known.length; from += 500) {
  const ids = known.slice(from, from + 500).map(({ id }) => id);
  for (const { id, text } of contents(ids)) {
    for (const { kind, match, line } of secretsIn(text)) {
      if (harmless(match)) continue;
      found += 1;
      console.error(`${paths.get(id)}:${line} (${id.slice(0, 10)}): ${kind} ${match.slice(0, 12)}…`);
    }
  }
}
if (found > 0) process.exitCode = 1;
else console.log(`no secrets in ${known.length} versions of files`);
