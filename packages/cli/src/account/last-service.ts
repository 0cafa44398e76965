/** The service that was signed in to last, in `service`: the one that is meant when nobody names another. */
import type { Environment } from '../terminal/place.ts';
import { readConfigFile, writeConfigFile } from './config-folder.ts';

const file_name = 'service';

/** @returns undefined before the first sign-in */
export async function lastService(environment: Environment): Promise<string | undefined> {
  return (await readConfigFile(environment, file_name))?.trim() || undefined;
}

export async function rememberService(environment: Environment, base_url: string): Promise<void> {
  if ((await lastService(environment)) !== base_url) await writeConfigFile(environment, file_name, `${base_url}\n`);
}
