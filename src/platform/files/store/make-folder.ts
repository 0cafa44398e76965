/** Makes folders, one at a time: a recursive `mkdir` of Node never ends where the kernel makes none, as below `/proc`. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** As often as a folder above may be made or removed by others meanwhile. */
const mostTries = 3;

/**
 * Makes a folder, and those above it that are missing.
 * @param mode of those that are made; others stay as they are
 * @throws the error of the system: ENOENT where none can be made, ENOTDIR where a file is in the way
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(folder, { mode });
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && (await isFolder(folder))) return;
      const above = dirname(folder);
      if (code !== 'ENOENT' || above === folder || tries === mostTries) throw error;
      if (!(await isFolder(above))) await makeFolder(above, mode);
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
