/** What a client in one language is for the check, and how its tools are run. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of this project. */
export const project = fileURLToPath(new URL('../../../', import.meta.url));
/** The contract that clients are generated from. */
export const contract = `${project}generated/openapi.json`;
/** The hand-written parts: one program for each client, which takes the trip. */
export const trips = `${project}scripts/proof/sdk-check/trips`;

const longest_step_ms = 10 * 60_000;
const most_output_bytes = 64 * 1024 * 1024;

export interface SdkClient {
  /** Names it on the command line. */
  name: string;
  /** What makes it, with versions. */
  generator: string;
  /** Commands that the machine must have. */
  needs: string[];
  /**
   * Gets the generator and all libraries from their registries, at fixed versions.
   * @param folder where everything of this client goes; there already
   */
  install(folder: string): Promise<void>;
  /** Generates the client and compiles it with the trip, as strictly as the language can. */
  build(folder: string): Promise<void>;
  /** @returns the command that takes the trip, and its arguments */
  trip(folder: string): [command: string, ...args: string[]];
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
 * @throws an error with the end of its output when it fails or takes longer than ten minutes
 */
export async function run(command: string, args: string[], { cwd, env }: RunOptions): Promise<string> {
  try {
    const options = { cwd, timeout: longest_step_ms, maxBuffer: most_output_bytes, env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} … failed: ${output || message}`, { cause: error });
  }
}

/** Whether the machine has a command. */
export async function hasCommand(command: string): Promise<boolean> {
  return promisify(execFile)('/bin/sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );
}
