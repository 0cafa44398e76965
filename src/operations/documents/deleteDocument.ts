import { findDocument } from '../../documents/find.ts';
import { removeDocument } from '../../documents/remove.ts';
import { discardObject } from '../../files/discard.ts';
import type { Handler } from '../../http/handler.ts';

export const deleteDocument: Handler<'deleteDocument'> = async ({ path }, context) => {
  const { tenant, member, caller, collaborator, files } = context;
  const row = await findDocument(tenant, member, collaborator.id, path.document_id);
  const { deleted_at } = await tenant.transaction((tx) => removeDocument(tx, caller, row));
  await discardObject(files.storage, row.key);
  return { status: 200, body: { id: row.id, deleted: true, deleted_at } };
};
