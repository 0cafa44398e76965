/** Files in the user's config folder (XDG or APPDATA), readable only by the user (folder 700, files 600). */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../terminal/context.ts';

export function configFile(environment: Environment, name: string): string {
  const windows = process.platform === 'win32' ? environment.APPDATA : undefined;
  const folder = environment.XDG_CONFIG_HOME || windows || join(environment.HOME || homedir(), '.config');
  return join(folder, 'collaborator-api', name);
}

/** @returns undefined when the file does not exist */
export async function readConfigFile(environment: Environment, name: string): Promise<string | undefined> {
  return readFile(configFile(environment, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

export async function writeConfigFile(environment: Environment, name: string, text: string): Promise<void> {
  const file = configFile(environment, name);
  const folder = join(file, '..');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Write to a temporary file and rename it, so that readers never see a partial file.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
