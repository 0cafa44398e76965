/** Creates folders level by level: Node's recursive `mkdir` never returns where the kernel can't create any, as below `/proc`. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Allows for other processes that create or remove the parent meanwhile. */
const maxTries = 3;

/**
 * Creates a folder and its missing parents.
 * @throws the system's error: ENOENT where none can be created, ENOTDIR if a file is in the way
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(folder, { mode });
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && (await isFolder(folder))) return;
      const parent = dirname(folder);
      if (code !== 'ENOENT' || parent === folder || tries === maxTries) throw error;
      if (!(await isFolder(parent))) await makeFolder(parent, mode);
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
