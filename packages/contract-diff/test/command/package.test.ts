// The published package: packed, unpacked in another folder, and imported by name.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand, packageRoot } from './built-command.ts';

let folder: string;
let installed: string;
let packed: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-package-'));
  installed = join(folder, 'node_modules/@collaborator-api/openapi-contract-diff');
  await mkdir(installed, { recursive: true });
  // Pack the existing build: rebuilding could disturb parallel readers.
  builtCommand();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [archive] = JSON.parse(execFileSync('npm', args, { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' }));
  packed = archive.files.map(({ path }: { path: string }) => path);
  execFileSync('tar', ['-xzf', join(folder, archive.filename), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys((await manifest()).dependencies)) {
    await symlink(folderOf(name), join(folder, 'node_modules', name));
  }
  await writeFile(join(folder, 'base.json'), contract(10));
  await writeFile(join(folder, 'wider.json'), contract(20));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Folder of a dependency, as Node resolves it. */
function folderOf(name: string): string {
  const found = ['.', '..', '../..'].map((up) => join(packageRoot, up, 'node_modules', name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

const manifest = async () => JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));

/** A contract with one response, a string of this maximum length. */
const contract = (maxLength: number) => {
  const content = { 'application/json': { schema: { type: 'string', maxLength } } };
  const paths = { '/name': { get: { responses: { 200: { description: 'A name.', content } } } } };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Names', version: '1.0.0' }, paths });
};

test('contains its entry points, documentation, and rule pages, but no source or tests', async () => {
  const { bin, exports } = await manifest();
  const entryPoints = [...Object.values<string>(bin), ...Object.values<string>(exports['.'])];
  for (const file of [
    ...entryPoints,
    'README.md',
    'LICENSE',
    'rules/property-removed.md',
    'docs/peers.md',
    'docs/policy.md',
    'schema/report.schema.json',
    'action.yml',
    'hooks/pre-commit',
  ])
    expect(packed).toContain(file.replace(/^\.\//, ''));
  expect(
    packed.filter(
      (path) =>
        !/^(bin|dist|docs|hooks|rules|schema)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|action\.yml)$/.test(
          path,
        ),
    ),
  ).toEqual([]);
});

test('runs as a command that prints the path of a rule page', async () => {
  const command = join(installed, (await manifest()).bin['openapi-contract-diff']);
  const args = [command, '--explain', 'property-removed'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const [page] = /\S+\.md$/m.exec(stdout) ?? [];
  expect(page && existsSync(page)).toBe(true);
});

test('provides types for TypeScript', async () => {
  await writeFile(
    join(folder, 'use.ts'),
    `import { compareContracts, type Level, type Result } from '@collaborator-api/openapi-contract-diff';
     const result: Result = await compareContracts('base.json', 'wider.json', { changes: 'none', singleVersion: true });
     const required: Level = result.verdicts.interface.required;
     // @ts-expect-error: there is no such member
     result.nothing;
     console.log(required, result.findings.length);`,
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(folderOf('typescript'), 'bin/tsc');
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
  const compiled = spawnSync(process.execPath, [compiler, ...options, 'use.ts'], { cwd: folder, encoding: 'utf8' });
  expect(compiled).toMatchObject({ status: 0, stdout: '' });
  const used = spawnSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' });
  expect(used).toMatchObject({ status: 0, stderr: '', stdout: 'major 1\n' });
}, 60_000);
