/** Taking turns between processes that share a folder. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const wait_timeout_ms = 30_000;
const look_again_ms = 20;

/** Runs `work` while holding a lock file; a lock whose process is gone is taken over. */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + wait_timeout_ms;
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(file, { force: true });
    else if (Date.now() > deadline) throw new Error(`another process holds ${file}`);
    else await sleep(look_again_ms);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
