/**
 * Erases the personal data of one person (GDPR, article 17). A row of ids and times remains, so that counts, references, and
 * synchronizing clients stay correct, and a history of who changed which field when, without values. `docs/operations/privacy.md`
 * lists all tables.
 */
import { sql } from 'kysely';
import { deleteLoginHints } from '../../identity/grants/revoke-access.ts';
import { createResetQueue } from '../../identity/passwords/password-resets.ts';
import type { Database } from '../../platform/db/client.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import type { Storage } from '../../platform/files/store/storage.ts';
import { createMailQueue } from '../../platform/mail/mail-queue.ts';
import { type EncryptionKeys, vault } from '../../platform/secrets/secrets.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import { lockHierarchy } from '../collaborators/fields/hierarchy.ts';
import { assertAdminRemains, lockAdmins } from '../collaborators/membership/admins.ts';
import { moveReports, revokeAccess } from '../collaborators/remove-collaborator.ts';
import { eventSubject } from '../collaborators/responses/collaborator-response.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { changeTime } from '../collaborators/write/change-time.ts';
import { type CountedTransaction, countChange, counted } from '../collaborators/write/collaborator-counts.ts';
import { recordHistory } from '../collaborators/write/history.ts';
import { emit } from '../events/emit.ts';
import { eraseFromDirectories } from './directory-traces.ts';
import { eraseUser } from './erase-user.ts';
import {
  type ErasedFiles,
  eraseDocuments,
  eraseEvents,
  eraseExports,
  eraseImports,
  eraseMails,
  eraseReceiverResponses,
  eraseSavedViews,
  eraseStoredResponses,
  type Person,
} from './traces.ts';
import { addressesOf, erasedColumns, eraseHistory } from './values.ts';

/** The erasure isn't possible now; the message is for the operator. */
class ErasureError extends Error {
  override name = 'ErasureError';
}

export interface ErasureOptions {
  db: Database;
  storage: Storage;
  encryption_keys: EncryptionKeys;
  dry_run: boolean;
  /** Whether to erase the company's imports and exports too, which may contain the person. */
  companyFiles: boolean;
}

/** The erased records, as counts and ids. Keep it to repeat the erasure after restoring a backup. */
export interface ErasureResult {
  company_id: string;
  collaborator_id: string;
  /** Whether the person's account was erased; it stays while another company knows it. */
  user: 'none' | 'erased' | 'kept';
  history_entries: number;
  documents: number;
  photo: boolean;
  events: number;
  deliveries: number;
  /** Receivers' responses to other events. */
  receiver_responses: number;
  invitations: number;
  kept_answers: number;
  queued_mails: number;
  /** All finished imports, because the people in them are unknown. */
  imports: number;
  exports: number;
}

/**
 * Erases a collaborator, and the user if no other company knows them. Idempotent.
 * @throws ErasureError; 404 if there is none; 409 `last_admin`
 */
export async function eraseCollaborator(
  options: ErasureOptions,
  company: { id: string; name: string },
  collaboratorId: string,
): Promise<ErasureResult> {
  const { db, storage, dry_run: dryRun } = options;
  let done: { erased: ErasureResult; keys: string[] } | undefined;
  await counted(db.tenant(company.id), async (tx) => {
    done = await eraseWithin(tx, options, company, collaboratorId);
    if (dryRun) throw dryRunRollback;
  }).catch((error) => {
    if (error !== dryRunRollback) throw error;
  });
  const { erased, keys } = done!;
  if (!dryRun) for (const key of keys) await discardObject(storage, key);
  return erased;
}

const noFiles: ErasedFiles = { rows: 0, keys: [] };

const dryRunRollback = new Error('a dry run is undone');

async function eraseWithin(
  tx: CountedTransaction,
  { encryption_keys: encryptionKeys, companyFiles }: ErasureOptions,
  company: { id: string; name: string },
  id: string,
): Promise<{ erased: ErasureResult; keys: string[] }> {
  if (companyFiles) await refuseRunningImport(tx);
  await lockHierarchy(tx);
  await lockAdmins(tx);
  const before = await lockCollaborator(tx, id, true);
  if (!before.deleted_at) await assertAdminRemains(tx, before);
  const person: Person = { id, addresses: await addressesOf(tx, id, before.email) };
  const user = await userOf(tx, encryptionKeys, before);

  // A user kept for another company may be signing in there right now.
  if (user !== 'kept') await deleteLoginHints(tx.global, encryptionKeys, person.addresses);
  if (!before.deleted_at) await moveReports(tx, { user_id: null }, before);
  const { events, deliveries } = await eraseEvents(tx, person, companyFiles);
  const files: Record<'documents' | 'imports' | 'exports', ErasedFiles> = {
    documents: await eraseDocuments(tx, person),
    imports: companyFiles ? await eraseImports(tx) : noFiles,
    exports: companyFiles ? await eraseExports(tx) : noFiles,
  };
  const queues = { mail: createMailQueue(encryptionKeys), resets: createResetQueue(encryptionKeys) };
  const erased: ErasureResult = {
    company_id: company.id,
    collaborator_id: id,
    user,
    history_entries: await eraseHistory(tx, id),
    documents: files.documents.rows,
    photo: before.avatar_key !== null,
    events,
    deliveries,
    receiver_responses: await eraseReceiverResponses(tx, person),
    invitations: await removeOf(tx, 'invitations', id),
    kept_answers: await eraseStoredResponses(tx, vault(encryptionKeys, 'kept-answers'), person, companyFiles),
    queued_mails: await eraseMails(tx, queues, person, user === 'kept' ? company.name : undefined),
    imports: files.imports.rows,
    exports: files.exports.rows,
  };
  await removeOf(tx, 'notification_preferences', id);
  await removeOf(tx, 'saved_views', id);
  await tx.deleteFrom('snoozes').where('item_id', '=', id).execute();
  await eraseSavedViews(tx, before.name, person);
  await eraseFromDirectories(tx, person);
  await replaceRow(tx, before);
  const keys = [before.avatar_key ?? [], ...Object.values(files).map((each) => each.keys)].flat();
  return { erased, keys };
}

/** A running import could write the person again. */
async function refuseRunningImport(tx: TenantTransaction): Promise<void> {
  const running = await tx.selectFrom('imports').select('id').where('due_at', 'is not', null).executeTakeFirst();
  if (running) throw new ErasureError(`import ${running.id} of this company has not ended: wait for it, or cancel it`);
}

async function userOf(
  tx: TenantTransaction,
  encryptionKeys: EncryptionKeys,
  { user_id: userId }: CollaboratorRow,
): Promise<ErasureResult['user']> {
  if (!userId) return 'none';
  await revokeAccess(tx, userId);
  await tx.deleteFrom('connection_uses').where('user_id', '=', userId).execute();
  const elsewhere = await tx.global
    .selectFrom('memberships')
    .select('company_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (elsewhere) return 'kept';
  await eraseUser(tx.global, encryptionKeys, userId);
  return 'erased';
}

async function removeOf(
  tx: TenantTransaction,
  table: 'invitations' | 'notification_preferences' | 'saved_views',
  collaboratorId: string,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('collaborator_id', '=', collaboratorId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The row stays as a deleted collaborator; if they weren't deleted yet, an event without a name announces it. */
async function replaceRow(tx: CountedTransaction, before: CollaboratorRow): Promise<void> {
  const now = new Date().toISOString();
  const after = await tx
    .updateTable('collaborators')
    .set({
      ...erasedColumns(before.id),
      deleted_at: before.deleted_at ?? now,
      erased_at: sql`coalesce(erased_at, ${now}::timestamptz)`,
      revision: before.revision + 1,
      updated_at: changeTime,
    })
    .where('id', '=', before.id)
    .returning(collaboratorColumns)
    .executeTakeFirstOrThrow();
  recordHistory(tx, {
    collaborator_id: before.id,
    action: 'erased',
    description: 'Personal data erased',
    user_id: null,
  });
  if (!before.deleted_at) {
    const payload = { ...eventSubject(after), deleted_by: null, deleted_at: after.deleted_at! };
    emit(tx, 'collaborator.deleted', payload);
  }
  countChange(tx, before, after);
}
