/**
 * Taking turns between processes that share a folder.
 *
 * The lock is that of the operating system on a file, as SQLite takes it: it is gone with the process that held it, however
 * that ended. So nobody has to find out whether a holder is still alive, which two could do at the same time.
 */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const waitTimeoutMs = 30_000;
const lookAgainMs = 20;
/** Another connection holds the lock: https://sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Runs `work` while no other process, and nobody else in this one, does so with the same file.
 * @param file made when missing; it stays, and nothing is written to it
 * @throws when it is somebody else's turn for longer than half a minute
 */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    const deadline = Date.now() + waitTimeoutMs;
    while (!isTaken(lock)) {
      if (Date.now() > deadline) throw new Error(`another process holds ${file}`);
      await sleep(lookAgainMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** @returns whether it was free, and is ours now */
function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
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
