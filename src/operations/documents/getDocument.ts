import { findDocument } from '../../documents/find.ts';
import { documentView } from '../../documents/view.ts';
import type { Handler } from '../../http/handler.ts';

export const getDocument: Handler<'getDocument'> = async ({ path }, { tenant, member, collaborator, files }) => {
  const row = await findDocument(tenant, member, collaborator.id, path.document_id);
  return { status: 200, body: documentView(row, files.links) };
};
