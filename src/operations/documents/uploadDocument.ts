import { addDocument } from '../../documents/add.ts';
import { documentLocation, documentView } from '../../documents/view.ts';
import type { Handler } from '../../http/handler.ts';

export const uploadDocument: Handler<'uploadDocument'> = async ({ body }, context) => {
  const { tenant, caller, collaborator, files } = context;
  const row = await tenant.transaction((tx) => addDocument(tx, caller, collaborator.id, body));
  return { status: 201, headers: { Location: documentLocation(row) }, body: documentView(row, files.links) };
};
