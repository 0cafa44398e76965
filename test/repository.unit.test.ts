/** What people who work on the project read first: its links lead somewhere, and its commands exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const texts = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file && existsSync(join(root, file)) && !/(contract-rules|packages\/[\w-]+\/rules)\//.test(file));
const targets = [...read('Makefile').matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name!);

test('no file is found by the path of a URL: in a folder with a space in its name it is another', () => {
  const found = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const wrong = found.filter((file) =>
    /import\.meta\.url\)\.pathname/.test(existsSync(join(root, file)) ? read(file) : ''),
  );
  expect(wrong).toEqual([]);
});

test('make help lists every command, with what it does, in one of its groups', () => {
  const help = execFileSync('make', ['--no-print-directory', 'help'], { cwd: root, encoding: 'utf8' });
  const [first, ...groups] = help.split(/\n\n(?=[A-Z]\w+\n {2}make )/);
  expect(first).toMatch(/^ {2}make help +\S/);
  expect(groups.map((group) => group.split('\n')[0])).toEqual(['Use', 'Develop', 'Prove', 'Measure', 'Release']);
  const listed = [...help.matchAll(/^ {2}make ([a-z-]+) +\S.+$/gm)].map(([, name]) => name!);
  expect(listed.toSorted()).toEqual(targets.toSorted());
});

test.each(texts)('%s: every command of make that it names exists', (file) => {
  const named = [...read(file).matchAll(/(?:`|^|\n)make ([a-z][a-z-]*)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !targets.includes(name))).toEqual([]);
});

// Guides and errors are pages of the service, whose links are checked as the service renders them: test/api/docs/pages.test.ts.
const here = texts.filter((file) => !/^docs\/(guides|errors)\//.test(file));

test.each(here)('%s: every link leads to a file, and to a heading of it', (file) => {
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

/** Not in the repository: only there while somebody decides about changed words of the contract, or made by a command. */
const made = /^(openapi\/changes\/|deploy\/compose\/secrets)/;

test.each(here)('%s: every file and folder of ours that it names exists', (file) => {
  const named = [...read(file).matchAll(/`((?:src|test|scripts|packages|openapi|generated|docs|deploy)\/[\w./-]*)`/g)];
  const paths = named.map(([, path]) => path!).filter((path) => !made.test(path));
  const [own] = /^packages\/[\w-]+\//.exec(file) ?? ['']; // a package names its own files as well
  const exists = (path: string) => existsSync(join(root, path)) || existsSync(join(root, own, path));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

/** As the pages of code hosts name them. */
function headingsOf(file: string): string[] {
  if (statSync(join(root, file)).isDirectory()) return [];
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
