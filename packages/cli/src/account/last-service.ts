/** The service of the last sign-in, stored in `service`: the default when no address is given. */
import type { Environment } from '../terminal/context.ts';
import { readConfigFile, writeConfigFile } from './config-folder.ts';

const fileName = 'service';

/** @returns undefined before the first sign-in */
export async function lastService(environment: Environment): Promise<string | undefined> {
  return (await readConfigFile(environment, fileName))?.trim() || undefined;
}

export async function rememberService(environment: Environment, baseUrl: string): Promise<void> {
  if ((await lastService(environment)) !== baseUrl) await writeConfigFile(environment, fileName, `${baseUrl}\n`);
}
