// A local npm registry with the package and its installed dependencies, so that `npm install` works without a network.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtCommand, packageRoot } from './built-command.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly integrity: string;
}

export interface Registry {
  readonly archive: string;
  /** Environment for npm with this registry, without variables of the outer npm. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * Packs the package and starts the registry.
 * @param folder for archives and npm's cache; the caller deletes it
 * @param extraFolders folders of additional packages to serve
 */
export async function startRegistry(folder: string, extraFolders: readonly string[] = []): Promise<Registry> {
  // Pack the existing build: rebuilding could disturb parallel readers.
  builtCommand();
  const archives = join(folder, 'archives');
  await mkdir(archives, { recursive: true });
  const manifests = await collectManifests(packageRoot, new Map());
  for (const extra of extraFolders) await collectManifests(extra, manifests);
  const args = ['pack', ...manifests.keys(), '--json', '--ignore-scripts', '--pack-destination', archives];
  const { stdout } = await promisify(execFile)('npm', args, { env: cleanEnvironment(), maxBuffer: 2 ** 27 });
  const packed = JSON.parse(stdout) as Packed[];
  const archiveOf = ({ name, version }: Manifest) =>
    packed.find((one) => one.name === name && one.version === version)!;
  const server = createServer(async (request, response) => {
    const requestedName = decodeURIComponent(request.url ?? '').slice(1);
    const file = packed.find(({ filename }) => filename === requestedName);
    if (file) return response.end(await readFile(join(archives, file.filename)));
    const matching = [...manifests.values()].filter(({ name }) => name === requestedName);
    if (matching.length === 0) return response.writeHead(404).end('{}');
    const versions = matching.map((one) => {
      const { filename, integrity } = archiveOf(one);
      return [one.version, { ...one, dist: { integrity, tarball: `http://${request.headers.host}/${filename}` } }];
    });
    return response.end(
      JSON.stringify({
        name: requestedName,
        'dist-tags': { latest: matching[0]!.version },
        versions: Object.fromEntries(versions),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    archive: join(archives, archiveOf(manifests.get(packageRoot)!).filename),
    env: {
      ...cleanEnvironment(),
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      npm_config_cache: join(folder, 'cache'),
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_update_notifier: 'false',
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The environment without the variables of `npm run`, which would affect the nested npm. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^init_cwd$/i.test(name)));

/** Manifests of the package in `folder` and of all its dependencies. */
async function collectManifests(folder: string, found: Map<string, Manifest>): Promise<Map<string, Manifest>> {
  if (found.has(folder)) return found;
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  found.set(folder, manifest);
  for (const name of Object.keys(manifest.dependencies ?? {})) await collectManifests(folderOf(name, folder), found);
  return found;
}

/** Folder of a dependency, as Node resolves it. */
function folderOf(name: string, from: string): string {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(folder)) return folder;
  }
  throw new Error(`${name} is not installed`);
}
