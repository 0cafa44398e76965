import type { FilesContext } from '../../../platform/files/context.ts';
import { discardObject } from '../../../platform/files/discard-files.ts';
import { receiveBase64 } from '../../../platform/files/inspect/base64-file.ts';
import { type ReceivedFile, receiveDocument } from '../../../platform/files/inspect/receive-file.ts';
import { addDocument } from '../../../product/documents/add-document.ts';
import { documentLocation, documentResponse } from '../../../product/documents/document-response.ts';
import type { Handler } from '../../handler.ts';

export const uploadDocument: Handler<'uploadDocument'> = async ({ body }, context) => {
  const { tenant, caller, collaborator, files, quotas } = context;
  const file = await fileOf(body, files, tenant.company_id);
  await quotas.require(tenant, 'storage_bytes', file.size).catch(async (error) => {
    await discardObject(files.storage, file.key);
    throw error;
  });
  const { type, description } = body;
  const row = await tenant.transaction((tx) => addDocument(tx, caller, collaborator.id, { file, type, description }));
  return { status: 201, headers: { Location: documentLocation(row) }, body: documentResponse(row, files.links) };
};

/** A large file is already stored; a small base64 file is part of the JSON. */
async function fileOf(
  body: Parameters<Handler<'uploadDocument'>>[0]['body'],
  { storage, scanner }: FilesContext,
  companyId: string,
): Promise<ReceivedFile> {
  if ('file' in body) return body.file;
  const { filename, content_base64: content } = body;
  if (typeof content !== 'string') return content;
  const claimed = { filename, media_type: '' };
  return receiveBase64(content, (stream) => receiveDocument(storage, scanner, companyId, stream, claimed));
}
