// Installation in an empty folder with `npm install`, contents, types, and use with each supported Node version on this machine.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { packageRoot } from './built-command.ts';
import { type Registry, startRegistry } from './registry.ts';

const packageManifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
const resolve = createRequire(import.meta.url).resolve;
const compiler = resolve('typescript/bin/tsc');
const nodeTypes = resolve('@types/node/index.d.ts');

let folder: string;
let work: string;
let registry: Registry;

const contract = (maxLength: number) => `openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
paths:
  /name:
    get:
      summary: Tells a name.
      responses:
        '200':
          description: A name.
          content:
            application/json: { schema: { type: string, maxLength: ${maxLength} } }
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract install '));
  registry = await startRegistry(folder, await buildTools());
  work = join(folder, 'empty');
  await mkdir(work);
  await promisify(execFile)('npm', ['install', registry.archive, '--no-audit', '--no-fund'], {
    cwd: work,
    env: registry.env,
  });
  await writeFile(join(work, 'before.yaml'), contract(5));
  await writeFile(join(work, 'wider.yaml'), contract(8));
});
/** Packages that refer to the installed compiler, which would take seconds to pack. @returns their folders */
function buildTools(): Promise<string[]> {
  const { devDependencies } = packageManifest;
  return Promise.all(
    [
      { name: 'typescript', file: 'tsc', text: `#!/usr/bin/env node\nimport(${JSON.stringify(compiler)});` },
      { name: '@types/node', file: 'index.d.ts', text: `/// <reference path=${JSON.stringify(nodeTypes)} />` },
    ].map(async ({ name, file, text }) => {
      const at = join(folder, 'tools', name);
      await mkdir(at, { recursive: true });
      const version = devDependencies[name];
      await writeFile(join(at, 'package.json'), JSON.stringify({ name, version, bin: { tsc: 'tsc' }, types: file }));
      await writeFile(join(at, file), text);
      return at;
    }),
  );
}

afterAll(async () => {
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
});

const nodeFolders = new Map(
  [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
    .filter((at) => at !== '' && existsSync(join(at, 'node')))
    .map((at) => [spawnSync(join(at, 'node'), ['--version'], { encoding: 'utf8' }).stdout.trim(), at] as const)
    .filter(([version]) => {
      const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
      return major > 20 || (major === 20 && minor >= 18);
    }),
);

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Reads the packages of a lockfile, by folder. */
async function lockedPackages(root: string): Promise<Readonly<Record<string, Locked>>> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** The dependencies of the package in `folder` and theirs, as name@version, according to the lockfile. */
function dependencyTree(packages: Readonly<Record<string, Locked>>, folder: string): Set<string> {
  const folders = new Set<string>();
  const visit = (from: string) => {
    for (const name of Object.keys(packages[from]!.dependencies ?? {})) {
      let at = from;
      while (packages[join(at, 'node_modules', name)] === undefined) {
        if (at === '.') throw new Error(`${name} is not in the lockfile`);
        at = dirname(at);
      }
      const found = join(at, 'node_modules', name);
      if (folders.has(found)) continue;
      folders.add(found);
      visit(found);
    }
  };
  visit(folder);
  return new Set([...folders].map((found) => nameAndVersion(found, packages[found]!)));
}

/** The folders of installed packages, relative to the working folder. */
async function packageFolders(parent: string): Promise<string[]> {
  const names = (await readdir(join(work, parent))).filter((name) => !name.startsWith('.'));
  const found = names.map(async (name) => {
    const folder = join(parent, name);
    if (name.startsWith('@')) return packageFolders(folder);
    const nested = join(folder, 'node_modules');
    return [folder, ...(existsSync(join(work, nested)) ? await packageFolders(nested) : [])];
  });
  return (await Promise.all(found)).flat();
}

const nameAndVersion = (folder: string, { version }: Locked): string =>
  `${folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;

test('installs only the tool, its dependencies and theirs', async () => {
  const { dependencies } = JSON.parse(await readFile(join(work, 'package.json'), 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['@collaborator-api/openapi-contract-diff']);
  const { '': _, ...installed } = await lockedPackages(work);
  const repository = await lockedPackages(join(packageRoot, '../..'));
  const { name, version, dependencies: declared } = packageManifest;
  expect(repository['packages/contract-diff']!.dependencies).toEqual(declared);
  expect(
    Object.entries(installed)
      .map(([folder, locked]) => nameAndVersion(folder, locked))
      .sort(),
  ).toEqual([`${name}@${version}`, ...dependencyTree(repository, 'packages/contract-diff')].sort());
  expect((await packageFolders('node_modules')).sort()).toEqual(Object.keys(installed).sort());
  expect((await readdir(join(work, 'node_modules/.bin'))).filter((name) => !name.includes('.'))).toContain(
    'openapi-contract-diff',
  );
  expect(realpathSync(join(work, 'node_modules/@collaborator-api/openapi-contract-diff'))).not.toContain('/packages/');
});

test('contains its entry points, documentation, and rule pages, but no source or tests', async () => {
  const installed = join(work, 'node_modules/@collaborator-api/openapi-contract-diff');
  const { bin, exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const entryPoints = [...Object.values<string>(bin), ...Object.values<string>(exports['.'])];
  for (const file of [
    ...entryPoints,
    'README.md',
    'LICENSE',
    'rules/property-removed.md',
    'docs/policy.md',
    'schema/report.schema.json',
    'action.yml',
    'hooks/pre-commit',
  ])
    expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
  expect(
    (await readdir(installed)).filter((name) => ['src', 'test', 'scripts', 'node_modules'].includes(name)),
  ).toEqual([]);
  const args = [join(installed, bin['openapi-contract-diff']), '--explain', 'property-removed'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8' });
  const [page] = /\/.*\.md$/m.exec(stdout) ?? [];
  expect(page && existsSync(page)).toBe(true);
});

test('provides types for TypeScript', async () => {
  await writeFile(
    join(work, 'use.mts'),
    `import { compareContracts, type Level, type Result } from '@collaborator-api/openapi-contract-diff';
     const result: Result = await compareContracts('before.yaml', 'wider.yaml', { changes: 'none', singleVersion: true });
     const required: Level = result.verdicts.interface.required;
     // @ts-expect-error: there is no such member
     result.nothing;
     export const used = [required, result.findings.length];`,
  );
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023'];
  const compiled = spawnSync(process.execPath, [compiler, ...options, 'use.mts'], { cwd: work, encoding: 'utf8' });
  expect(compiled).toMatchObject({ status: 0, stdout: '' });
});

test('the action installs the tool from its folder, outside the repository', async () => {
  const action = load(await readFile(join(packageRoot, 'action.yml'), 'utf8')) as {
    runs: { steps: { name: string; run: string }[] };
  };
  const script = action.runs.steps.find(({ name }) => name === 'Install')!.run;
  const target = join(folder, 'temp/contract-diff');
  const before = await readdir(folder);
  await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...registry.env, RUNNER_TEMP: join(folder, 'temp'), ACTION: packageRoot, PACKAGE: '' },
  });
  const args = [join(target, 'bin/openapi-contract-diff.js'), 'before.yaml', 'before.yaml'];
  expect(spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(join(target, 'node_modules'))).not.toContain('typescript');
  expect((await readdir(folder)).filter((name) => !before.includes(name))).toEqual(['temp']);
});

describe.each([...nodeFolders])('on Node %s', (_, at) => {
  test('is usable in a program, by import and require', async () => {
    const name = '@collaborator-api/openapi-contract-diff';
    const use = (functions: string) => `${functions}.compareContracts('before.yaml', 'wider.yaml')`;
    const uses = `Promise.all([${use(`require('${name}')`)}, import('${name}').then((all) => ${use('all')})])`;
    await writeFile(join(work, 'use.cjs'), `${uses}.then((results) => console.log(results.map(({ ok }) => ok)));\n`);
    const { status, stdout, stderr } = spawnSync(join(at, 'node'), ['use.cjs'], { cwd: work, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '[ false, false ]\n', stderr: '' });
  });

  test('is a command, which exits with 1 for a breaking change', () => {
    const env = { ...registry.env, PATH: `${at}${delimiter}${process.env.PATH}`, NO_COLOR: '1' };
    const command = join(work, 'node_modules/.bin/openapi-contract-diff');
    const { status, stdout, stderr } = spawnSync(command, ['before.yaml', 'wider.yaml'], {
      cwd: work,
      encoding: 'utf8',
      env,
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^MAJOR GET \/name.*maxLength changed from 5 to 8$/m),
      stderr: '',
    });
  });
});

test('a supported Node version is available', () => {
  expect(nodeFolders.size).toBeGreaterThan(0);
});
