import { documentView } from '../../../product/documents/document-view.ts';
import { findDocument } from '../../../product/documents/find-document.ts';
import type { Handler } from '../../handler.ts';

export const getDocument: Handler<'getDocument'> = async ({ path }, { tenant, member, collaborator, files }) => {
  const row = await findDocument(tenant, member, collaborator.id, path.document_id);
  return { status: 200, body: documentView(row, files.links) };
};
