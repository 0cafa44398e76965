/** Runs the command line and scripts as real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Longer than all tests of a file together, even on a busy machine: a service may run for all of them. */
const maxRunMs = 1_800_000;

export interface Result {
  code: number | string | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  pid: number;
  output: { stdout: string; stderr: string };
  /** Waits until the output matches. @throws if the process exits first */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<Result>;
}

interface Options {
  input?: string;
  /** Working directory; this checkout by default. */
  cwd?: string;
}

/** Starts a script of this checkout with only the given environment variables, PATH, and the compile cache. */
export function start(
  script: string,
  args: string[],
  env: Record<string, string>,
  { input = '', cwd = root }: Options = {},
): Running {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    timeout: maxRunMs,
  });
  child.stdin.end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = new Promise<Result>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: signal ?? code, ...output }));
  });
  return { pid: child.pid!, output, ended, waitForOutput: (pattern) => waitForOutput(child, output, pattern) };
}

export function run(script: string, args: string[], env: Record<string, string>, options?: Options): Promise<Result> {
  return start(script, args, env, options).ended;
}

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'collaborator-api-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Settings for commands that use a database, isolated from the configuration of this machine. */
export function settings(folder: string, databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
}

function waitForOutput(child: ChildProcess, output: { stdout: string; stderr: string }, pattern: RegExp) {
  return new Promise<RegExpMatchArray>((resolve, reject) => {
    const streams = [child.stdout!, child.stderr!];
    const check = () => {
      const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      if (!found) return;
      for (const stream of streams) stream.off('data', check);
      child.off('close', onClose);
      resolve(found);
    };
    const onClose = () => reject(new Error(`ended without ${pattern}: ${output.stdout}${output.stderr}`));
    for (const stream of streams) stream.on('data', check);
    child.once('close', onClose);
    check();
  });
}
