/** What a client in one language is for the check, and how its tools are run. */
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of this project. */
export const project = fileURLToPath(new URL('../../../', import.meta.url));
/** The hand-written parts: one program for each client, which takes the trip. */
export const trips = join(project, 'scripts/proof/sdk-check/trips');
/** Where everything downloaded is kept between runs: generators, libraries, virtual environments. */
export const cache = process.env.TOOLS_CACHE || join(project, '.data/tools');

const longestStepMs = 15 * 60_000;
const mostOutputBytes = 64 * 1024 * 1024;

/** The documents that the service publishes for generators, by their names there. */
export type PublishedDocument = 'openapi.json' | 'openapi-3.0.json';

/** Something of the machine that is not downloaded. */
interface Need {
  /** What to call it when it is not there. */
  what: string;
  /** A command line that succeeds when it is there. */
  probe: string;
}

export interface Folders {
  /** What was downloaded for this client; kept between runs. */
  tools: string;
  /** Where its code is generated and compiled; empty at the beginning. */
  work: string;
  /** The document to generate from, as a file. */
  document: string;
}

export interface SdkClient {
  /** Names it on the command line. */
  name: string;
  /** What makes it, with versions. */
  generator: string;
  document: PublishedDocument;
  needs: Need[];
  /**
   * Gets the generator and all libraries from their registries, at fixed versions. Done once for each `generator`.
   * @param tools where they go; there already
   */
  install(tools: string): Promise<void>;
  /** Generates the client and compiles it with the trip, as strictly as the language can. */
  build(folders: Folders): Promise<void>;
  /** How far its program goes: `whole` has a token and a webhook of its own, `short` is given a token. */
  length: 'whole' | 'short';
  /**
   * @returns the command that takes the trip, and its arguments, for the folder `work`; the reason in words when it can
   * be generated here, but not be compiled
   */
  trip(folders: Folders): [command: string, ...args: string[]] | { not_compiled: string };
}

interface RunOptions {
  /** The working folder. */
  cwd: string;
  /** Added to the environment. */
  env?: Record<string, string>;
}

/**
 * Runs a command to its end.
 * @returns what it wrote on standard output
 * @throws an error with the end of its output when it fails or takes longer than a quarter of an hour
 */
export async function run(command: string, args: string[], { cwd, env }: RunOptions): Promise<string> {
  try {
    const all = { ...process.env, ...cachesOfLanguages(), ...env };
    const options = { cwd, timeout: longestStepMs, maxBuffer: mostOutputBytes, env: all };
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} … failed: ${output || message}`, { cause: error });
  }
}

/** Where Go, Cargo, pip and npm keep what they download: in our folder, so that nothing is left elsewhere. */
function cachesOfLanguages(): Record<string, string> {
  return {
    GOPATH: join(cache, 'go'),
    GOCACHE: join(cache, 'go/build'),
    GOFLAGS: '-modcacherw', // or the folder could not be removed
    CARGO_HOME: join(cache, 'cargo'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    npm_config_cache: join(cache, 'npm'),
    PATH: [process.env.PATH, join(project, 'node_modules/.bin')].join(delimiter),
  };
}

/** Runs Maven with the repository in our folder. */
export function maven(args: string[], cwd: string): Promise<string> {
  return run('mvn', ['-q', '-B', `-Dmaven.repo.local=${join(cache, 'maven')}`, ...args], { cwd });
}

export function needsCommand(command: string): Need {
  return { what: command, probe: `command -v ${command}` };
}

/** @returns what the machine does not have of that which this client needs */
export async function missing({ needs }: Pick<SdkClient, 'needs'>): Promise<string | undefined> {
  for (const { what, probe } of needs) {
    const there = await promisify(execFile)('/bin/sh', ['-c', probe]).then(
      () => true,
      () => false,
    );
    if (!there) return what;
  }
  return undefined;
}
