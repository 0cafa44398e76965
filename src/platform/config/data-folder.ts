/** The folder of local data, and what is said when there can be none. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { makeFolder } from '../files/store/make-folder.ts';
import { ConfigError } from './config-error.ts';

/** Makes it when it is missing. @throws ConfigError that names DATA_DIR when nothing can be written there */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(folder, error as NodeJS.ErrnoException);
  }
}

/** @param error what the system said of it, or of something in it */
export function unusableFolder(folder: string, { code, message }: NodeJS.ErrnoException): ConfigError {
  const why = reasons[code ?? ''] ?? message;
  return new ConfigError(`bad configuration: DATA_DIR must be a folder that can be written, not ${folder}: ${why}`);
}

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that file system can only be read',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  ENOENT: 'no folder can be made there',
};
