/** The environment a command runs in, as the host program provides it. */
import { isAbsolute, join } from 'node:path';
import { CliError } from './failure.ts';

export type Environment = Record<string, string | undefined>;

export interface CliContext {
  environment: Environment;
  /** How users call this program, for help and hints. */
  program: string;
  /** Base folder for the user's relative paths. */
  folder: string;
  /** The default address of the service. @throws CliError that says how to set one */
  defaultAddress(): Promise<string>;
}

/** @param file path as the user typed it */
export function pathAt({ folder }: Pick<CliContext, 'folder'>, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** Normalizes an http URL: no query, no fragment, no trailing slash. @throws CliError for anything else */
export function httpAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new CliError(`not an HTTP URL: ${text}`, 2);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
