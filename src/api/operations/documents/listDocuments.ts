import { keysetPage } from '../../../platform/db/cursor.ts';
import { documentResponse } from '../../../product/documents/document-response.ts';
import { newestDocuments } from '../../../product/documents/find-document.ts';
import type { Handler } from '../../handler.ts';

export const listDocuments: Handler<'listDocuments'> = async ({ query: { limit = 20, cursor, type } }, context) => {
  const { tenant, member, collaborator, cursors, files } = context;
  const binding = ['listDocuments', tenant.company_id, member.collaborator_id, collaborator.id, type ?? null];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await newestDocuments(tenant, member, collaborator.id, type, limit + 1, after);
  const { rows, pagination } = keysetPage(found.rows, limit, ({ uploaded_at: uploadedAt, id }) =>
    cursors.seal([uploadedAt, id], binding),
  );
  const data = rows.map((row) => documentResponse(row, files.links));
  return { status: 200, body: { data, pagination: { ...pagination, total: found.total } } };
};
