/** `make install` installs only what `make run` needs, and runs only install scripts that package.json allows. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../helpers/command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let registry: Server;
const tarballs = new Map<string, { tarball: Buffer; has_script: boolean }>();

interface Ended {
  code: number;
  output: string;
}

function execute(command: string, args: string[], cwd: string): Promise<Ended> {
  const { port } = registry.address() as AddressInfo;
  const env = {
    PATH: process.env.PATH!,
    HOME: folder.path,
    TRACES: folder.path,
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_fetch_retries: '0',
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_update_notifier: 'false',
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` });
    });
  });
}

/** Packages; those with `true` have an install script that creates a file. */
async function publish(packages: Record<string, boolean>): Promise<void> {
  const sources = join(folder.path, 'packages');
  for (const [name, hasScript] of Object.entries(packages)) {
    const scripts = hasScript
      ? { postinstall: `node -e "require('fs').appendFileSync(process.env.TRACES + '/${name}', 'ran')"` }
      : {};
    await mkdir(join(sources, name), { recursive: true });
    await writeFile(join(sources, name, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }));
  }
  const folders = Object.keys(packages).map((name) => `./${name}`);
  expect(await execute('npm', ['pack', '--silent', ...folders], sources)).toMatchObject({ code: 0 });
  for (const [name, hasScript] of Object.entries(packages)) {
    tarballs.set(name, { tarball: await readFile(join(sources, `${name}-1.0.0.tgz`)), has_script: hasScript });
  }
}

function packument(name: string, tarball: Buffer, hasScript: boolean, baseUrl: string) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${baseUrl}/${name}.tgz`, integrity };
  const script = hasScript && { hasInstallScript: true, scripts: { postinstall: 'node' } };
  const version = { name, version: '1.0.0', ...script, dist };
  return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  registry = createServer((req, res) => {
    const [, name = '', archive] = /^\/(\w+)(\.tgz)?$/.exec(req.url!) ?? [];
    const published = tarballs.get(name);
    if (!published) return res.writeHead(404).end('{}');
    const { tarball, has_script: hasScript } = published;
    if (archive) return res.end(tarball);
    res.end(JSON.stringify(packument(name, tarball, hasScript, `http://${req.headers.host}`)));
  });
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
  await publish({ listed: true, unlisted: true, forconsole: false, forbench: false, fortests: false });
});
afterAll(async () => {
  await new Promise((closed) => registry.close(closed));
  await folder.remove();
});

/** A project with our Makefile and npm settings that needs both packages; its workspaces need one each. */
async function project(name: string, allowScripts: Record<string, boolean>): Promise<string> {
  const where = join(folder.path, name);
  const names = { console: '@collaborator-api/console', bench: 'collaborator-bench', tests: 'collaborator-tests' };
  const workspaces = ['console', 'bench', 'tests'] as const;
  const own = { name, version: '1.0.0', type: 'module', dependencies: { listed: '1.0.0', unlisted: '1.0.0' } };
  await mkdir(where);
  await writeFile(join(where, 'package.json'), JSON.stringify({ ...own, workspaces, allowScripts }));
  for (const workspace of workspaces) {
    const devDependencies = { [`for${workspace}`]: '1.0.0' };
    await mkdir(join(where, workspace));
    await writeFile(
      join(where, workspace, 'package.json'),
      JSON.stringify({ name: names[workspace], version: '1.0.0', devDependencies }),
    );
  }
  for (const file of ['Makefile', '.npmrc']) await copyFile(join(root, file), join(where, file));
  expect(await execute('npm', ['install', '--package-lock-only', '--ignore-scripts'], where)).toMatchObject({
    code: 0,
  });
  return where;
}

const traces = (name: string) => readFile(join(folder.path, name), 'utf8').catch(() => 'none');

test('a package that isn’t listed runs no script, whether npm fails or not', async () => {
  const where = await project('unnamed', { listed: true });
  await execute('make', ['install'], where);
  expect(await traces('unlisted')).toBe('none');
});

test('an allowed script runs once, a denied one doesn’t, and a command adds the packages it needs', async () => {
  const where = await project('path with spaces', { listed: true, unlisted: false });
  const before = await traces('listed');
  const installed = async () => (await readdir(join(where, 'node_modules'))).filter((name) => /^[a-z]+$/.test(name));
  const make = (target: string) => execute('make', [`node_modules/.installed${target}`], where);
  const lockfile = await readFile(join(where, 'package-lock.json'), 'utf8');
  expect(await execute('make', ['install'], where)).toMatchObject({ code: 0 });
  expect(await traces('listed')).toBe(before === 'none' ? 'ran' : `${before}ran`);
  expect(await traces('unlisted')).toBe('none');
  expect((await execute('make', ['--question', 'install'], where)).code).toBe(0);
  expect(await installed()).toEqual(['forconsole', 'listed', 'unlisted']);
  expect(await make('-bench')).toMatchObject({ code: 0 });
  expect(await installed()).toEqual(['forbench', 'forconsole', 'listed', 'unlisted']);
  expect(await make('-all')).toMatchObject({ code: 0 });
  expect(await installed()).toEqual(['forbench', 'forconsole', 'fortests', 'listed', 'unlisted']);
  expect(await readFile(join(where, 'package-lock.json'), 'utf8')).toBe(lockfile);
});
