/**
 * A lock between processes that share a folder: an operating system lock on a file, taken through SQLite. The system releases it
 * when its process ends, so there is no racy check whether the holder is still alive.
 */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const waitTimeoutMs = 30_000;
const retryMs = 20;
/** Another connection holds the lock: https://sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Runs `work` exclusively among all users of the file, in any process.
 * @throws when the lock isn't free within half a minute
 */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    const deadline = Date.now() + waitTimeoutMs;
    while (!tryAcquire(lock)) {
      if (Date.now() > deadline) throw new Error(`another process holds ${file}`);
      await sleep(retryMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** @returns whether the lock was acquired */
function tryAcquire(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
