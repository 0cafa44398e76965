/**
 * While a backup is running no file is removed from the storage. The backup reads the rows at one moment and copies the
 * files they name afterwards, so files deleted in between must still exist. What remains in this way is named by no
 * row, and the sweep removes it later.
 *
 * A backup holds a lock from before that moment until its end. Code that removes a file tries that lock after the row
 * is gone: if it is free, the backup will not see the row; if not, the file stays.
 */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import type { FilesContext } from './context.ts';
import type { Storage } from './store/storage.ts';

/** Of the advisory lock that a backup holds: any number that no other such lock of this database uses. */
export const backupLockKey = 727_009;

/** The same files, whose objects stay while a backup is being taken. */
export function keepDuringBackups(files: FilesContext, db: Database): FilesContext {
  return { ...files, storage: keepObjects(files.storage, db) };
}

export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${backupLockKey}) as free`.execute(db.global);
  return !rows[0]!.free;
}

function keepObjects(storage: Storage, db: Database): Storage {
  return {
    ...storage,
    async remove(key) {
      if (await isBackupRunning(db)) return;
      await storage.remove(key);
    },
  };
}
