// Installation in an empty folder with `npm install`, contents, types, and use with each supported Node version on this machine.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { packageRoot } from './built-command.ts';
import { type Registry, startRegistry } from './registry.ts';

const packageManifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

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

/** A compiler that copies the existing build, because compiling takes longer than everything else here. @returns their folders */
function buildTools(): Promise<string[]> {
  const copyBuild = `require('node:fs').cpSync(${JSON.stringify(join(packageRoot, 'dist'))}, 'dist', { recursive: true })`;
  return Promise.all(
    ['typescript', '@types/node'].map(async (name) => {
      const at = join(folder, 'tools', name);
      await mkdir(at, { recursive: true });
      const bin = name === 'typescript' ? { tsc: 'tsc' } : undefined;
      await writeFile(
        join(at, 'package.json'),
        JSON.stringify({ name, version: packageManifest.devDependencies[name], bin }),
      );
      if (bin) await writeFile(join(at, 'tsc'), `#!/usr/bin/env node\n${copyBuild};\n`);
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
