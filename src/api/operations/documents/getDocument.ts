import { documentResponse } from '../../../product/documents/document-response.ts';
import { findDocument } from '../../../product/documents/find-document.ts';
import type { Handler } from '../../handler.ts';

export const getDocument: Handler<'getDocument'> = async ({ path }, { tenant, member, collaborator, files }) => {
  const row = await findDocument(tenant, member, collaborator.id, path.document_id);
  return { status: 200, body: documentResponse(row, files.links) };
};
