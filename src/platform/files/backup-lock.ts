/**
 * Keeps files while a backup is running. The backup takes a snapshot of the rows and copies their files afterwards, so files
 * deleted in between must still exist. The sweep removes them later.
 *
 * A backup holds an advisory lock from before its snapshot until its end. Code that removes a file tries the lock after deleting
 * the row: if it is free, no backup will see the row; if not, the file stays.
 */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import type { FilesContext } from './context.ts';
import type { Storage } from './store/storage.ts';

/** Key of the advisory lock held by a backup: any number that no other lock of this database uses. */
export const backupLockKey = 727_009;

/** Wraps the store so that files stay during a backup. */
export function retainFilesDuringBackup(files: FilesContext, db: Database): FilesContext {
  return { ...files, storage: retainObjects(files.storage, db) };
}

export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${backupLockKey}) as free`.execute(db.global);
  return !rows[0]!.free;
}

function retainObjects(storage: Storage, db: Database): Storage {
  return {
    ...storage,
    async remove(key) {
      if (await isBackupRunning(db)) return;
      await storage.remove(key);
    },
  };
}
