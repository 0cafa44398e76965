/** Real processes for the tests of the command line and the scripts: started, watched for a bounded time, ended by id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const longestRunMs = 240_000;

export interface Result {
  /** Exit code; the name of the signal when one ended it. */
  code: number | string | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  pid: number;
  /** What it wrote so far. */
  output: { stdout: string; stderr: string };
  /** Waits until its output matches. @throws when it ends before */
  saw(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Waits for its end. */
  ended: Promise<Result>;
}

interface Options {
  /** What it reads on standard input. */
  input?: string;
  /** After this time it is ended. */
  longest_ms?: number;
  /** The folder it runs in; by default this checkout. */
  cwd?: string;
}

/** Starts a script of this checkout with nothing of the environment but what is given, and where compiled code is kept. */
export function start(
  script: string,
  args: string[],
  env: Record<string, string>,
  { input = '', longest_ms: longestMs = longestRunMs, cwd = root }: Options = {},
): Running {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    timeout: longestMs,
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
  return { pid: child.pid!, output, ended, saw: (pattern) => saw(child, output, pattern) };
}

export function run(script: string, args: string[], env: Record<string, string>, options?: Options): Promise<Result> {
  return start(script, args, env, options).ended;
}

/** A folder of its own below the system's temporary one. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'collaborator-api-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** What commands on a database need: settings that touch nothing of this machine's. */
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

function saw(child: ChildProcess, output: { stdout: string; stderr: string }, pattern: RegExp) {
  return new Promise<RegExpMatchArray>((resolve, reject) => {
    const streams = [child.stdout!, child.stderr!];
    const look = () => {
      const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      if (!found) return;
      for (const stream of streams) stream.off('data', look);
      child.off('close', over);
      resolve(found);
    };
    const over = () => reject(new Error(`ended without ${pattern}: ${output.stdout}${output.stderr}`));
    for (const stream of streams) stream.on('data', look);
    child.once('close', over);
    look();
  });
}
