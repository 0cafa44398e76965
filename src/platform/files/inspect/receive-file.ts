/** Receives a file: streams it into the store, and removes it if it is too large, empty, of another type, or infected. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { newKey, type Storage } from '../store/storage.ts';
import { type InspectingStream, Inspector, notAccepted, notOfItsType } from './inspect.ts';
import { extensionOf, safeName } from './names.ts';
import type { Scanner } from './scanner.ts';
import { findZipList, officeKind, type ZipList, zipNames } from './zip.ts';

export const maxDocumentBytes = 10 * 1024 * 1024;

export interface ReceivedFile {
  key: string;
  /** Sanitized for display and for file systems. */
  name: string;
  /** Detected from the content. */
  media_type: string;
  size: number;
  /** In hex. */
  sha256: string;
}

export interface ClaimedFile {
  filename: string;
  media_type: string;
}

/**
 * Reads `stream` to its end or destroys it.
 * @throws 413 `payload_too_large`, 400 with an error of the field `file`, 422 `file_infected`, 503 without a scan result
 */
export async function receiveDocument(
  storage: Storage,
  scanner: Scanner | undefined,
  companyId: string,
  stream: Readable,
  claimed: ClaimedFile,
): Promise<ReceivedFile> {
  const key = newKey(companyId, 'documents');
  const name = safeName(claimed.filename);
  const inspector = new Inspector({ name, media_type: claimed.media_type }, maxDocumentBytes);
  await storeFile({ storage, scanner }, key, stream, inspector, () => examineEnd(storage, key, inspector));
  const { type, size } = inspector;
  const fullName = extensionOf(name) ? name : safeName(`${name}.${type.extensions[0]}`);
  return { key, name: fullName, media_type: type.media_type, size, sha256: inspector.sha256() };
}

/**
 * Stores a file while it is checked, and removes it if it is rejected.
 * @param inspecting checks the stream
 * @param examine checks the stored file
 */
export async function storeFile(
  { storage, scanner }: { storage: Storage; scanner: Scanner | undefined },
  key: string,
  stream: Readable,
  inspecting: InspectingStream,
  examine: () => Promise<void>,
): Promise<void> {
  // A small file may have been streamed before the store fails without reading it: then there is no other listener.
  inspecting.on('error', () => {});
  const put = storage.put(key, inspecting).catch((error) => {
    inspecting.destroy(error); // the store may have failed before it read anything
    throw error;
  });
  const [stored, sent] = await Promise.allSettled([put, pipeline(stream, inspecting)]);
  if (stored.status === 'rejected') throw stored.reason;
  try {
    if (sent.status === 'rejected') throw sent.reason;
    await examine();
    if (scanner) await scanStored(storage, key, scanner);
  } catch (error) {
    // If this fails too, the sweep removes the file.
    await storage.remove(key).catch(() => {});
    throw error;
  }
}

/** @throws 400 when an Office document isn't one, or another file is also an archive */
async function examineEnd(storage: Storage, key: string, inspector: Inspector): Promise<void> {
  const { type, size } = inspector;
  const tail = inspector.tail();
  const list = findZipList(tail, size);
  if (type.content !== 'office') {
    if (list) throw notAccepted();
    return;
  }
  const names = list && zipNames(await zipListBytes(storage, key, list, tail, size));
  if (!names || officeKind(names, inspector.head) !== type.extensions[0]) throw notOfItsType(type);
}

/** The directory of a stored archive: from the tail of the file, or from the store if it is longer. */
export async function zipListBytes(
  storage: Storage,
  key: string,
  list: ZipList,
  tail: Buffer,
  size: number,
): Promise<Buffer> {
  const { start, bytes } = list;
  const tailOffset = start - (size - tail.length);
  if (tailOffset >= 0) return tail.subarray(tailOffset, tailOffset + bytes);
  return buffer(await storage.read(key, { start, end: start + bytes - 1 }));
}

/** @throws 422 `file_infected` */
async function scanStored(storage: Storage, key: string, scanner: Scanner): Promise<void> {
  const found = await scanner.scan(await storage.read(key));
  if (!found) return;
  throw new Problem(422, 'file_infected', t`The virus scan refused this file.`, { cause: new Error(found) });
}
