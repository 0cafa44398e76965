/**
 * The packages of package-lock.json, for every platform: what is installed here says nothing about what is elsewhere. Those
 * in workspaces are ours: they are no part of it, but what they want is.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LockedPackage {
  /** Where it is installed, below the folder. */
  path: string;
  name: string;
  version: string;
  /** As its author states it (SPDX); undefined where the lockfile does not have it. */
  license: string | undefined;
  integrity: string | undefined;
  /** Whether the service runs without it. */
  dev: boolean;
  /** Whether it is built into the console, which browsers get. */
  in_console: boolean;
  optional: boolean;
  /** Whether it wants to run a program of its own when it is installed. */
  installScript: boolean;
  /** Packages for single platforms that belong to it. */
  optionalParts: string[];
}

export interface Lockfile {
  packages: LockedPackage[];
  wanted: Wanted[];
  /** `allowScripts` of package.json: which packages may run their install script (true), and which do without (false). */
  allowScripts: Readonly<Record<string, boolean>>;
}

/** What a package.json asks for. */
export interface Wanted {
  /** The folder it stands in: empty for that of the lockfile, else that of a workspace. */
  folder: string;
  name: string;
  range: string;
}

interface Entry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  /** It stands for the package of that folder, which is ours. */
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

/** @param folder that package.json and package-lock.json are in */
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
  const wanted = await Promise.all(
    own.map(async (path) => {
      const { dependencies, devDependencies, optionalDependencies } = await read(join(path, 'package.json'));
      const ranges: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
      return Object.entries(ranges).map(([name, range]) => ({ folder: path, name, range }));
    }),
  );
  const ours = new Set(own.map((path) => entries[path]!.name));
  const { allowScripts = {} } = await read('package.json');
  return { packages, wanted: wanted.flat().filter(({ name }) => !ours.has(name)), allowScripts };
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

/**
 * The paths of what our package in a folder runs with. npm's own marks do not tell: they count in what all packages of packages/
 * need, and what a package only works with when it is there.
 */
function neededToRun(entries: Entries, folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [folder].filter((path) => path in entries);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entries[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (peerDependenciesMeta?.[name]?.optional && !dependencies?.[name]) continue;
      const place = installedFor(path, name, entries);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      waiting.push(place);
    }
  }
  return found;
}

/** Where the package at `path` finds another one, as Node looks for it: in its own folder, then in each around it. */
export function installedFor(path: string, name: string, paths: Readonly<Record<string, unknown>>): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder && `${folder}/`}node_modules/${name}`;
    if (place in paths) return place;
    if (folder === '') return undefined;
  }
}
