import { discardObject } from '../../../platform/files/discard-files.ts';
import { addDocument } from '../../../product/documents/add-document.ts';
import { documentLocation, documentView } from '../../../product/documents/document-view.ts';
import type { Handler } from '../../handler.ts';

export const uploadDocument: Handler<'uploadDocument'> = async ({ body }, context) => {
  const { tenant, caller, collaborator, files, quotas } = context;
  await quotas.require(tenant, 'storage_bytes', body.file.size).catch(async (error) => {
    await discardObject(files.storage, body.file.key);
    throw error;
  });
  const row = await tenant.transaction((tx) => addDocument(tx, caller, collaborator.id, body));
  return { status: 201, headers: { Location: documentLocation(row) }, body: documentView(row, files.links) };
};
