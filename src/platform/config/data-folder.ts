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
  const reason = reasons[code ?? ''] ?? message;
  return new ConfigError(`invalid configuration: DATA_DIR must be a writable folder, not ${folder}: ${reason}`);
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a file has this name',
  EEXIST: 'a file has this name',
  ENOENT: "the folder can't be created",
};
