/** Entry points for contributors: links resolve, and commands exist. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file && existsSync(join(root, file)));
const texts = files.filter((file) => /\.md$/.test(file) && !/(contract-rules|packages\/[\w-]+\/rules)\//.test(file));
const textual = (file: string) => /\.(md|mdx|ts|tsx|json|ya?ml|sh|eta|mk)$|pre-commit$|Makefile$/.test(file);
const targetsOf = (file: string) => [...read(file).matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name!);
const targets = targetsOf('Makefile');
const inCode = /`(?:\w+=\S* )*make ([a-z][a-z-]*)(?: NAME=([a-z-]+))?/g;
const parts = { proof: targetsOf('scripts/proof/proofs.mk'), bench: targetsOf('scripts/bench/benches.mk') };

test('no code uses the path of a URL as a file path, which breaks with spaces in folder names', () => {
  const found = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const wrong = found.filter((file) =>
    /import\.meta\.url\)\.pathname/.test(existsSync(join(root, file)) ? read(file) : ''),
  );
  expect(wrong).toEqual([]);
});

test('make help lists all commands with descriptions by group on one screen', () => {
  const help = execFileSync('make', ['--no-print-directory', 'help'], { cwd: root, encoding: 'utf8' });
  const [first, ...groups] = help.split(/\n\n(?=[A-Z]\w+\n {2}make )/);
  expect(first).toMatch(/^ {2}make help +\S/);
  expect(groups.map((group) => group.split('\n')[0])).toEqual(['Use', 'Develop', 'Prove', 'Measure', 'Release']);
  const listed = [...help.matchAll(/^ {2}make ([a-z-]+) +\S.+$/gm)].map(([, name]) => name!);
  const unlisted = ['pin-images', ...targets.filter((name) => name.startsWith('static-'))]; // parts of `static`
  expect([...listed, ...unlisted].toSorted()).toEqual(targets.toSorted());
  expect(listed.length).toBeLessThanOrEqual(25);
  const longest = Math.max(...help.split('\n').map((line) => line.length));
  expect(longest).toBeLessThanOrEqual(130);
});

test.each(Object.entries(parts))('make %s lists its parts if NAME is missing or unknown', (command, names) => {
  const { NAME: _, MAKEFLAGS: __, ...env } = process.env; // of a proof that runs the tests
  const make = (...args: string[]) =>
    spawnSync('make', ['--no-print-directory', command, ...args], { cwd: root, env, encoding: 'utf8' });
  const listed = make();
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  const listedNames = [...listed.stdout.matchAll(/^ {2}([a-z-]+) +[A-Z`].+$/gm)].map(
    ([, name]) => `${command}-${name}`,
  );
  expect(listedNames).toEqual(names);
  const unknown = make('NAME=nothing');
  expect(unknown.stdout).toBe(listed.stdout);
  expect(unknown.status).not.toBe(0);
  for (const name of [names[0]!, names.at(-1)!]) {
    const target = name.slice(command.length + 1);
    expect(make('--dry-run', `NAME=${target}`).stdout).toContain(name);
  }
});

test('every make command that a file names exists', () => {
  const exists = (name: string, part: string | undefined) =>
    targets.includes(name) && (!part || !(name in parts) || parts[name as 'proof'].includes(`${name}-${part}`));
  const missing = files
    .filter((file) => /\.(md|ts|tsx|cjs|mk|sh|ya?ml)$|^(Makefile|Dockerfile|\.ci\/run)$/.test(file))
    .flatMap((file) => {
      const named = /\.md$/.test(file) ? /(?:`|^|\n)make ([a-z][a-z-]*)(?: NAME=([a-z-]+))?/g : inCode;
      const all = [...read(file).matchAll(named)].filter(([, name, part]) => !exists(name!, part));
      return all.map(([text]) => `${file}: ${text.trim()}`);
    });
  expect(missing).toEqual([]);
});

// Guides and errors are pages of the service; test/api/docs/pages.test.ts checks their rendered links.
const here = texts.filter((file) => !/^docs\/(guides|errors)\//.test(file));

test.each(here)('%s: every link leads to an existing file and heading', (file) => {
  const prose = read(file).replaceAll(/```.*?```/gs, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const dead = links.filter((link) => {
    if (/^(https?:|mailto:|\/)/.test(link)) return false;
    const [path, heading] = link.split('#') as [string, string | undefined];
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(root, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(dead).toEqual([]);
});

// Anyone can register a name that we own in no registry, and run code on our readers' machines.
test('no file fetches a command of ours by an unregistered name with npx or npm', () => {
  const fetched =
    /\b(?:npx|npm exec|bunx|pnpm dlx|yarn dlx)(?: --?[\w-]+)* (?:collaborators|collaborator-cli|openapi-contract-diff)\b/;
  const installed = /\bnpm (?:install|i|add)(?: --?[\w-]+)* (?:collaborators|collaborator-cli|openapi-contract-diff)\b/;
  const wrong = files.filter((file) => !/\.test\.ts$|^(CHANGELOG|CONTRIBUTING)\.md$/.test(file) && textual(file));
  expect(wrong.filter((file) => fetched.test(read(file)) || installed.test(read(file)))).toEqual([]);
  const names = files
    .filter((file) => /^packages\/[\w-]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(read(file)).name);
  for (const name of names) expect(name).toMatch(/^@collaborator-api\//);
});

/** Not in the repository: temporary, or created by a command. */
const generated = /^(openapi\/changes\/|deploy\/compose\/secrets)/;

test.each(here)('%s: every file and folder it names exists', (file) => {
  const named = [...read(file).matchAll(/`((?:src|test|scripts|packages|openapi|generated|docs|deploy)\/[\w./-]*)`/g)];
  const paths = named.map(([, path]) => path!).filter((path) => !generated.test(path));
  const [own] = /^packages\/[\w-]+\//.exec(file) ?? ['']; // a package names its own files too
  const exists = (path: string) => existsSync(join(root, path)) || existsSync(join(root, own, path));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

/** Anchors as code hosts generate them. */
function headingsOf(file: string): string[] {
  if (statSync(join(root, file)).isDirectory()) return [];
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
