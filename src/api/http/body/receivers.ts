/** Receivers of form files, by operation and part: documents and imports stream into storage, photos are converted in memory. */
import type { Readable } from 'node:stream';
import { t } from '../../../contract/languages/text.ts';
import { payloadTooLarge } from '../../../contract/problem.ts';
import { receiveDocument } from '../../../platform/files/inspect/receive-file.ts';
import { maxPhotoBytes } from '../../../platform/photos/photo.ts';
import { megabytes } from '../../../platform/values/megabytes.ts';
import { receiveImport } from '../../../product/imports/receive-import-file.ts';
import type { ReceivedParts } from '../../handler.ts';
import type { Receiver } from './body.ts';

export const receivers = {
  uploadDocument: {
    file: {
      receive: ({ storage, scanner }, companyId, stream, claimed) =>
        receiveDocument(storage, scanner, companyId, stream, claimed),
      discard: ({ storage }, { key }) => storage.remove(key),
      identity: ({ name, media_type: mediaType, size, sha256 }) => ({ name, media_type: mediaType, size, sha256 }),
    },
  },
  setPhoto: {
    file: {
      receive: (_files, _company_id, stream) => readPhoto(stream),
      discard: async () => {},
      identity: (photo) => photo.toString('base64'),
    },
  },
  importCollaborators: {
    file: {
      receive: (files, companyId, stream, claimed) => receiveImport(files, companyId, stream, claimed),
      discard: ({ storage }, { key }) => storage.remove(key),
      identity: ({ filename, size, sha256 }) => ({ filename, size, sha256 }),
    },
  },
} satisfies { [O in keyof ReceivedParts]: { [P in keyof ReceivedParts[O]]: Receiver<ReceivedParts[O][P]> } };

async function readPhoto(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxPhotoBytes) throw payloadTooLarge(t`The photo is larger than ${megabytes(maxPhotoBytes)} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
