/** Reads package-lock.json, which has all platforms. Excludes workspaces, but includes their dependencies. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LockedPackage {
  path: string;
  name: string;
  version: string;
  /** SPDX license stated by the author; undefined if the lockfile lacks it. */
  license: string | undefined;
  integrity: string | undefined;
  /** Whether the service runs without it. */
  dev: boolean;
  /** Whether it is bundled into the console. */
  in_console: boolean;
  optional: boolean;
  installScript: boolean;
  /** Its platform-specific packages. */
  optionalParts: string[];
}

export interface Lockfile {
  packages: LockedPackage[];
  requirements: Requirement[];
  /** `allowScripts` of package.json: packages whose install script runs (true) or is skipped (false). */
  allowScripts: Readonly<Record<string, boolean>>;
}

export interface Requirement {
  /** Folder of that package.json: empty for the root, otherwise a workspace. */
  folder: string;
  name: string;
  range: string;
}

interface Entry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  /** It links to a workspace. */
  link?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Entries = Readonly<Record<string, Entry>>;

/** @param folder with package.json and package-lock.json */
export async function readLockfile(folder: string): Promise<Lockfile> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const entries: Entries = (await read('package-lock.json')).packages;
  const running = neededToRun(entries, '');
  const inConsole = neededToRun(entries, 'packages/console');
  const paths = Object.keys(entries);
  const packages = paths
    .filter((path) => path.includes('node_modules/') && !entries[path]!.link)
    .map((path) => ({ ...lockedPackage(path, entries[path]!, running), in_console: inConsole.has(path) }));
  const own = paths.filter((path) => !path.includes('node_modules/'));
  const requirements = await Promise.all(
    own.map(async (path) => {
      const { dependencies, devDependencies, optionalDependencies } = await read(join(path, 'package.json'));
      const ranges: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
      return Object.entries(ranges).map(([name, range]) => ({ folder: path, name, range }));
    }),
  );
  const ownNames = new Set(own.map((path) => entries[path]!.name));
  const { allowScripts = {} } = await read('package.json');
  return { packages, requirements: requirements.flat().filter(({ name }) => !ownNames.has(name)), allowScripts };
}

function lockedPackage(path: string, entry: Entry, running: ReadonlySet<string>): Omit<LockedPackage, 'in_console'> {
  return {
    path,
    name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '',
    license: entry.license,
    integrity: entry.integrity,
    dev: !running.has(path),
    optional: Boolean(entry.optional || entry.devOptional),
    installScript: Boolean(entry.hasInstallScript),
    optionalParts: Object.keys(entry.optionalDependencies ?? {}),
  };
}

/** Paths of a workspace's runtime dependencies. npm's own flags cover all workspaces and optional peer dependencies. */
function neededToRun(entries: Entries, folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [folder].filter((path) => path in entries);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entries[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (peerDependenciesMeta?.[name]?.optional && !dependencies?.[name]) continue;
      const installPath = installedFor(path, name, entries);
      if (installPath === undefined || found.has(installPath)) continue;
      found.add(installPath);
      waiting.push(installPath);
    }
  }
  return found;
}

/** Resolves a package as Node does: in the folder of `path`, then in each parent. */
export function installedFor(path: string, name: string, paths: Readonly<Record<string, unknown>>): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const installPath = `${folder && `${folder}/`}node_modules/${name}`;
    if (installPath in paths) return installPath;
    if (folder === '') return undefined;
  }
}
