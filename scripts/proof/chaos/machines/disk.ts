// A small disk that can be filled: a tmpfs as root; otherwise a folder made read-only, which fails at the same places.
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeExit } from '../../../run/before-exit.ts';

const run = promisify(execFile);
const chunk = Buffer.alloc(65_536);

export interface Disk {
  folder: string;
  kind: 'full (tmpfs)' | 'read-only folder';
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
}

/** @param sizeMb of the tmpfs; must fit the files of a run */
export async function makeDisk(folder: string, sizeMb: number): Promise<Disk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mounted =
    process.getuid?.() === 0 &&
    (await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=700`, 'chaos', folder]).then(
      () => true,
      () => false,
    ));
  if (!mounted) {
    return {
      folder,
      kind: 'read-only folder',
      fill: () => run('chmod', ['-R', 'a-w', folder]).then(() => {}),
      free: () => run('chmod', ['-R', 'u+w', folder]).then(() => {}),
      close: () => chmod(folder, 0o700),
    };
  }
  const cancelExitHook = beforeExit(() => execFileSync('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    kind: 'full (tmpfs)',
    async fill() {
      const handle = await open(filler, 'w');
      try {
        for (;;) await handle.write(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await handle.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async close() {
      await run('umount', ['--lazy', folder]);
      cancelExitHook();
    },
  };
}
