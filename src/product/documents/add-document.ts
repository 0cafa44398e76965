/** Adds a document whose file is already stored: row, history entry, and event, in one transaction. */

import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { ReceivedFile } from '../../platform/files/inspect/receive-file.ts';
import { newId } from '../../platform/values/ids.ts';
import { type Actor, lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { recordHistory } from '../collaborators/write/history.ts';
import { emit } from '../events/emit.ts';
import { type DocumentRow, documentColumns } from './document-response.ts';

interface NewDocument {
  file: ReceivedFile;
  type: string;
  description?: string | undefined;
}

/** @throws 404 if the collaborator was deleted meanwhile */
export async function addDocument(
  tx: TenantTransaction,
  actor: Actor,
  collaboratorId: string,
  { file, type, description }: NewDocument,
): Promise<DocumentRow> {
  await lockCollaborator(tx, collaboratorId);
  const { sha256, ...stored } = file;
  const fields = { type, description: description || null, sha256: Buffer.from(sha256, 'hex') };
  const row = await tx
    .insertInto('documents', {
      id: newId(),
      collaborator_id: collaboratorId,
      ...stored,
      ...fields,
      uploaded_by: actor.user_id,
    })
    .returning(documentColumns)
    .executeTakeFirstOrThrow();
  const { id, name } = row;
  recordHistory(tx, {
    collaborator_id: collaboratorId,
    action: 'document_uploaded',
    description: 'Document uploaded',
    changes: [{ field: 'documents', from: null, to: { id, name, type } }],
    document_type: type,
    user_id: actor.user_id,
  });
  emit(tx, 'document.uploaded', {
    id,
    collaborator_id: collaboratorId,
    name,
    type,
    size: row.size,
    description: row.description,
    uploaded_by: row.uploaded_by,
    uploaded_at: row.uploaded_at,
  });
  return row;
}
