// Postgres in other versions than the embedded one: the same packages of the registry, kept in `.data/postgres-versions`.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Binaries } from '../../../src/platform/embedded/embedded.ts';
import { binaryPackage } from '../../../src/platform/embedded/embedded-runner.ts';

/** The newest minor version of each that the registry has; 18 is the installed one. */
export const versions: Readonly<Record<string, string | undefined>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: undefined,
};

const kept = fileURLToPath(new URL('../../../.data/postgres-versions', import.meta.url));

/**
 * @param major as 15
 * @returns undefined for the installed version
 * @throws when it is not known, or can not be downloaded
 */
export async function downloadPostgres(major: string): Promise<Binaries | undefined> {
  if (!(major in versions)) throw new Error(`VERSION is one of ${Object.keys(versions).join(', ')}, not ${major}`);
  const version = versions[major];
  if (!version) return undefined;
  const name = binaryPackage();
  const folder = join(kept, version);
  if (!existsSync(folder)) await download(`${name}@${version}`, name, folder);
  return { folder: join(folder, 'node_modules', name, 'native'), major: Number(major) };
}

async function download(what: string, name: string, folder: string): Promise<void> {
  console.log(`downloading ${what} …`);
  const half = `${folder}.new`; // renamed when whole
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { recursive: true });
  await writeFile(join(half, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, what], { cwd: half, stdio: ['ignore', 'ignore', 'inherit'] });
  // What npm packs has no links: the package's own script makes them.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
    cwd: join(half, 'node_modules', name),
    stdio: 'ignore',
  });
  await rename(half, folder);
}
