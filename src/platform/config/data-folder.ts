/** The folder of local data, and the errors when it is unusable. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { makeFolder } from '../files/store/make-folder.ts';
import { ConfigError } from './config-error.ts';

/** Creates it if missing. @throws ConfigError naming DATA_DIR if it isn't writable */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(folder, error as NodeJS.ErrnoException);
  }
}

/** @param error the system error for the folder or something in it */
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
