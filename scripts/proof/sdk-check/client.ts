/** Interface of a generated client, and helpers to run its tools. */
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const project = fileURLToPath(new URL('../../../', import.meta.url));
/** Handwritten test programs ("trips"), one per client. */
export const trips = join(project, 'scripts/proof/sdk-check/trips');
/** Downloads that are kept between runs: generators, libraries, virtual environments. */
export const cache = process.env.TOOLS_CACHE || join(project, '.data/tools');

const maxStepMs = 15 * 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** OpenAPI documents that the service publishes for generators. */
export type PublishedDocument = 'openapi.json' | 'openapi-3.0.json';

/** A requirement that is not downloaded. */
interface Need {
  /** Its name in messages. */
  label: string;
  /** Shell command that succeeds if it is installed. */
  probe: string;
}

export interface Folders {
  /** Downloads for this client; kept between runs. */
  tools: string;
  /** Folder for generated and compiled code; empty at first. */
  work: string;
  document: string;
}

export interface SdkClient {
  /** Name on the command line. */
  name: string;
  /** Generator with versions. */
  generator: string;
  document: PublishedDocument;
  needs: Need[];
  /**
   * Downloads the generator and all libraries, in fixed versions, once per `generator`.
   * @param tools target folder; exists already
   */
  install(tools: string): Promise<void>;
  /** Generates the client, and compiles it with the trip in the language's strictest mode. */
  build(folders: Folders): Promise<void>;
  /** Scope of its program: `whole` refreshes its own token and receives a webhook, `short` is given a token. */
  length: 'whole' | 'short';
  /**
   * @returns the command that runs the trip in `work`, with arguments; or why the client can be generated but not compiled here
   */
  trip(folders: Folders): [command: string, ...args: string[]] | { not_compiled: string };
}

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
}

/**
 * Runs a command to completion.
 * @returns its stdout
 * @throws an error with the end of its output when it fails or takes longer than 15 minutes
 */
export async function run(command: string, args: string[], { cwd, env }: RunOptions): Promise<string> {
  try {
    const all = { ...process.env, ...cachesOfLanguages(), ...env };
    const options = { cwd, timeout: maxStepMs, maxBuffer: maxOutputBytes, env: all };
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} … failed: ${output || message}`, { cause: error });
  }
}

/** Caches of Go, Cargo, pip, and npm: in our folder, so that nothing is left elsewhere. */
function cachesOfLanguages(): Record<string, string> {
  return {
    GOPATH: join(cache, 'go'),
    GOCACHE: join(cache, 'go/build'),
    GOFLAGS: '-modcacherw', // or the folder could not be deleted
    CARGO_HOME: join(cache, 'cargo'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    npm_config_cache: join(cache, 'npm'),
    PATH: [process.env.PATH, join(project, 'node_modules/.bin')].join(delimiter),
  };
}

/** Runs Maven with the local repository in our folder. */
export function maven(args: string[], cwd: string): Promise<string> {
  return run('mvn', ['-q', '-B', `-Dmaven.repo.local=${join(cache, 'maven')}`, ...args], { cwd });
}

export function needsCommand(command: string): Need {
  return { label: command, probe: `command -v ${command}` };
}

/** @returns the client's missing requirements */
export async function missing({ needs }: Pick<SdkClient, 'needs'>): Promise<string | undefined> {
  for (const { label, probe } of needs) {
    const isAvailable = await promisify(execFile)('/bin/sh', ['-c', probe]).then(
      () => true,
      () => false,
    );
    if (!isAvailable) return label;
  }
  return undefined;
}
