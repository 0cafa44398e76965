/** The packages of package-lock.json, for every platform: what is installed here says nothing about what is elsewhere. */
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
  /** Whether only work on the project needs it. */
  dev: boolean;
  optional: boolean;
  /** Packages for single platforms that belong to it. */
  optional_parts: string[];
}

export interface Lockfile {
  packages: LockedPackage[];
  /** What package.json asks for, by name. */
  wanted: Record<string, string>;
}

interface Entry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** @param folder that package.json and package-lock.json are in */
export async function readLockfile(folder: string): Promise<Lockfile> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const [lock, { dependencies, devDependencies }] = await Promise.all([
    read('package-lock.json'),
    read('package.json'),
  ]);
  const entries = Object.entries(lock.packages as Record<string, Entry>).filter(([path]) => path !== '');
  const packages = entries.map(([path, entry]) => ({
    path,
    name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '',
    license: entry.license,
    integrity: entry.integrity,
    dev: Boolean(entry.dev),
    optional: Boolean(entry.optional || entry.devOptional),
    optional_parts: Object.keys(entry.optionalDependencies ?? {}),
  }));
  return { packages, wanted: { ...dependencies, ...devDependencies } };
}
