/** Where a command runs, and what the program around it knows about that place. */
import { isAbsolute, join } from 'node:path';
import { Failure } from './failure.ts';

/** Environment variables, by name. */
export type Environment = Record<string, string | undefined>;

export interface Place {
  environment: Environment;
  /** How a person calls this program: it stands in help and in advice. */
  program: string;
  /** The folder that relative paths of a person begin at. */
  folder: string;
  /**
   * The address of the service that is meant when nobody names one.
   * @throws Failure that says how to name one
   */
  nearAddress(): Promise<string>;
}

/** @param file as a person gave it */
export function pathAt({ folder }: Pick<Place, 'folder'>, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** An http address without what follows its path, and without a slash at the end. @throws Failure for any other text */
export function httpAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Failure(`not an http address: ${text}`, 2);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
