/** `make install` with the npm of this machine: no package runs anything that package.json does not allow. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../helpers/command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let registry: Server;
const tarballs = new Map<string, Buffer>();

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
    execFile(command, args, { cwd, env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` });
    });
  });
}

/** A package that leaves a file behind when its install script runs. */
async function publish(name: string): Promise<void> {
  const source = join(folder.path, 'packages', name);
  await mkdir(source, { recursive: true });
  const scripts = { postinstall: `node -e "require('fs').appendFileSync(process.env.TRACES + '/${name}', 'ran')"` };
  await writeFile(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }));
  const packed = await execute('npm', ['pack', '--silent'], source);
  expect(packed).toMatchObject({ code: 0 });
  tarballs.set(name, await readFile(join(source, `${name}-1.0.0.tgz`)));
}

function packument(name: string, tarball: Buffer, base_url: string) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${base_url}/${name}.tgz`, integrity };
  const version = { name, version: '1.0.0', hasInstallScript: true, scripts: { postinstall: 'node' }, dist };
  return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  registry = createServer((req, res) => {
    const [, name = '', archive] = /^\/(\w+)(\.tgz)?$/.exec(req.url!) ?? [];
    const tarball = tarballs.get(name);
    if (!tarball) res.writeHead(404).end('{}');
    else if (archive) res.end(tarball);
    else res.end(JSON.stringify(packument(name, tarball, `http://${req.headers.host}`)));
  });
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
  await publish('listed');
  await publish('unlisted');
});
afterAll(async () => {
  await new Promise((closed) => registry.close(closed));
  await folder.remove();
});

/** A project with our Makefile and settings of npm, which wants both packages. */
async function project(name: string, allowScripts: Record<string, boolean>): Promise<string> {
  const where = join(folder.path, name);
  await mkdir(where);
  const own = { name, version: '1.0.0', type: 'module', dependencies: { listed: '1.0.0', unlisted: '1.0.0' } };
  await writeFile(join(where, 'package.json'), JSON.stringify({ ...own, allowScripts }));
  for (const file of ['Makefile', '.npmrc']) await copyFile(join(root, file), join(where, file));
  expect(await execute('npm', ['install', '--package-lock-only', '--ignore-scripts'], where)).toMatchObject({
    code: 0,
  });
  return where;
}

const traces = (name: string) => readFile(join(folder.path, name), 'utf8').catch(() => 'none');

test('a package that is not named runs nothing, whether npm fails for it or not', async () => {
  const where = await project('unnamed', { listed: true });
  await execute('make', ['install'], where);
  expect(await traces('unlisted')).toBe('none');
});

test('what is allowed runs once, and what is denied does not', async () => {
  const where = await project('named', { listed: true, unlisted: false });
  const before = await traces('listed');
  const installed = await execute('make', ['install'], where);
  expect(installed).toMatchObject({ code: 0 });
  expect(await traces('listed')).toBe(before === 'none' ? 'ran' : `${before}ran`);
  expect(await traces('unlisted')).toBe('none');
  expect((await execute('make', ['--question', 'install'], where)).code).toBe(0);
});

test('where nothing is allowed nothing runs', async () => {
  const before = await traces('listed');
  await execute('make', ['install'], await project('nothing', { listed: false, unlisted: false }));
  expect([await traces('listed'), await traces('unlisted')]).toEqual([before, 'none']);
});
