import { discardObject } from '../../../platform/files/discard-files.ts';
import { findDocument } from '../../../product/documents/find-document.ts';
import { removeDocument } from '../../../product/documents/remove-document.ts';
import type { Handler } from '../../handler.ts';

export const deleteDocument: Handler<'deleteDocument'> = async ({ path }, context) => {
  const { tenant, member, caller, collaborator, files } = context;
  const row = await findDocument(tenant, member, collaborator.id, path.document_id);
  const { deleted_at: deletedAt } = await tenant.transaction((tx) => removeDocument(tx, caller, row));
  await discardObject(files.storage, row.key);
  return { status: 200, body: { id: row.id, deleted: true, deleted_at: deletedAt } };
};
