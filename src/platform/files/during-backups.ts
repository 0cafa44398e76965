/**
 * While a backup is being taken, no object leaves the storage. The backup looks at the rows at one moment and copies the
 * objects they name afterwards: whatever is deleted in between has to be there still. What stays behind in this way is
 * named by no row any more, and the sweep finds it.
 *
 * A backup holds the lock before that moment and until its end. Who removes an object asks for it after the row is gone:
 * either the lock is not held yet, then the backup does not see the row, or it is, then the object stays.
 */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import type { FilesContext } from './context.ts';
import type { Storage } from './storage.ts';

/** Of the advisory lock that a backup holds: any number that no other such lock of this database uses. */
export const backup_lock_key = 727_009;

/** The same files, whose objects stay while a backup is being taken. */
export function keepDuringBackups(files: FilesContext, db: Database): FilesContext {
  return { ...files, storage: keepObjects(files.storage, db) };
}

export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${backup_lock_key}) as free`.execute(db.global);
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
