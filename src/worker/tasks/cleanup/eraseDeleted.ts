/** Daily, if enabled: erases people who were deleted long ago. Off by default, because employers must keep records for years. */
import type { Task } from 'graphile-worker';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { clearErasedValues } from '../../../platform/schema/statistics.ts';
import type { EncryptionKeys } from '../../../platform/secrets/secrets.ts';
import { eraseCollaborator } from '../../../product/erasure/erase-person.ts';
import { inEachCompany } from '../each-company.ts';

/** Per company and run; the rest follows the next day. */
const maxPeople = 1_000;

export interface DeletedRetention {
  encryption_keys: EncryptionKeys;
  deletedCollaboratorsDays: number | undefined;
}

export function eraseDeleted(
  db: Database,
  storage: Storage,
  { encryption_keys: encryptionKeys, deletedCollaboratorsDays }: DeletedRetention,
  log: Logger,
): Task {
  return async (_payload, { withPgClient }) => {
    if (deletedCollaboratorsDays === undefined) return;
    let erased = 0;
    try {
      await inEachCompany(db, async (tenant, company) => {
        const people = await tenant
          .selectFrom('collaborators')
          .select('id')
          .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${deletedCollaboratorsDays}::int)`)
          .where('erased_at', 'is', null)
          .orderBy('deleted_at')
          .limit(maxPeople)
          .execute();
        // An error for one person must not prevent the erasure of others.
        const failures: unknown[] = [];
        for (const { id } of people) {
          try {
            await eraseCollaborator(
              { db, storage, encryption_keys: encryptionKeys, dry_run: false, companyFiles: false },
              company,
              id,
            );
            erased++;
          } catch (error) {
            failures.push(error);
            // In an outage, this fails and ends the run, instead of a timeout for each person.
            await tenant.selectFrom('collaborators').select('id').limit(1).execute();
          }
        }
        if (failures.length > 0) throw failures[0];
        return people.length;
      });
    } finally {
      log.info({ erased }, 'erased people past their retention');
      if (erased > 0) await withPgClient(clearErasedValues);
    }
  };
}
