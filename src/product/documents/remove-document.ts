/** Deletes a document: the row stays, marked as deleted; the file is removed after the commit. */
import { sql } from 'kysely';
import { notFound } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type Actor, lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { recordHistory } from '../collaborators/write/history.ts';
import { emit } from '../events/emit.ts';
import type { DocumentRow } from './document-response.ts';

/** The caller must remove the object after the commit. @throws 404 if it was deleted concurrently */
export async function removeDocument(
  tx: TenantTransaction,
  actor: Actor,
  { id, collaborator_id: collaboratorId, name, type }: DocumentRow,
): Promise<{ deleted_at: string }> {
  await lockCollaborator(tx, collaboratorId);
  const row = await tx
    .updateTable('documents')
    .set({ key: null, description: null, deleted_at: sql`statement_timestamp()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('deleted_at')
    .executeTakeFirst();
  if (!row) throw notFound();
  const deletedAt = row.deleted_at!;
  recordHistory(tx, {
    collaborator_id: collaboratorId,
    action: 'document_deleted',
    description: 'Document deleted',
    changes: [{ field: 'documents', from: { id, name, type }, to: null }],
    document_type: type,
    user_id: actor.user_id,
  });
  emit(tx, 'document.deleted', {
    id,
    collaborator_id: collaboratorId,
    name,
    type,
    deleted_by: actor.user_id,
    deleted_at: deletedAt,
  });
  return { deleted_at: deletedAt };
}
