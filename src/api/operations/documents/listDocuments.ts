import { openPage } from '../../../platform/db/cursor.ts';
import { documentResponse } from '../../../product/documents/document-response.ts';
import { newestDocuments } from '../../../product/documents/find-document.ts';
import type { Handler } from '../../handler.ts';

export const listDocuments: Handler<'listDocuments'> = async ({ query }, context) => {
  const { tenant, member, collaborator, cursors, files } = context;
  const { type } = query;
  const binding = ['listDocuments', tenant.company_id, member.collaborator_id, collaborator.id, type ?? null];
  const page = openPage(query, cursors, binding);
  const found = await newestDocuments(tenant, member, collaborator.id, type, page.count, page.after);
  const { rows, pagination } = page.of(found.rows, ({ uploaded_at: uploadedAt, id }) => [uploadedAt, id]);
  const data = rows.map((row) => documentResponse(row, files.links));
  return { status: 200, body: { data, pagination: { ...pagination, total: found.total } } };
};
