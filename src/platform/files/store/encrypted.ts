/**
 * Encrypts files at rest, for a store that doesn't: AES-256-GCM in chunks, as in the STREAM construction (Hoang, Reyhanitabar,
 * Rogaway and Vizár, 2015). Each chunk is authenticated with its position, whether it is the last, and the object's key, so
 * chunks can't be altered, moved, dropped, or swapped between files, and any range can be read on its own.
 *
 * A file's header says that it is encrypted, and with which key. Unencrypted files stay readable after encryption is enabled, and
 * encrypted ones after it is disabled.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deriveKey, type EncryptionKeys, keyId } from '../../secrets/secrets.ts';
import { type ByteRange, markKey, type Storage } from './storage.ts';

/** The header of encrypted files: a magic number, the key id, and the salt for the file's own key. */
const mark = Buffer.from('\0cafile1', 'latin1');
const keyIdBytes = 8;
const saltBytes = 16;
const headBytes = mark.length + keyIdBytes + saltBytes;
/** Of the content. */
const chunkBytes = 65_536;
const tagBytes = 16;
const sealedBytes = chunkBytes + tagBytes;
/** A file may be replaced by a re-encrypted one while it is read. */
const maxAttempts = 3;

/** Which key a file is encrypted with. */
export type FileState = 'plain' | 'current' | 'older' | 'unreadable';

export interface EncryptedStorage extends Storage {
  stateOf(key: string): Promise<FileState | undefined>;
  /** Encrypts a file with the first key, whatever its state. */
  reseal(key: string): Promise<void>;
}

/** @param keys the first encrypts, all decrypt @param encrypts whether new files are encrypted */
export function encryptedStorage(store: Storage, keys: EncryptionKeys, encrypts: boolean): EncryptedStorage {
  const known = keys.map((key) => ({ id: keyId(key), key: deriveKey(key, 'files') }));
  const [newest] = known as [Known];

  const headOf = async (key: string): Promise<Buffer | undefined> => {
    const head = await buffer(await store.read(key, { start: 0, end: headBytes - 1 }));
    return head.length === headBytes && head.subarray(0, mark.length).equals(mark) ? head : undefined;
  };
  const knownOf = (head: Buffer) => {
    const id = head.subarray(mark.length, mark.length + keyIdBytes);
    return known.find((each) => each.id.equals(id));
  };
  const opened = async (key: string, head: Buffer, range: ByteRange | undefined): Promise<Readable> => {
    const sealing = knownOf(head);
    if (!sealing) throw new Error('a file is encrypted with a key that is not in ENCRYPTION_KEY');
    const sealedSize = (await store.size(key))! - headBytes;
    const last = Math.ceil(sealedSize / sealedBytes) - 1;
    const { start, end } = range ?? { start: 0, end: sealedSize - (last + 1) * tagBytes - 1 };
    const first = Math.floor(start / chunkBytes);
    const to = Math.max(first, Math.floor(end / chunkBytes));
    const from = headBytes + first * sealedBytes;
    const chunks = await store.read(key, { start: from, end: headBytes + (to + 1) * sealedBytes - 1 });
    const opening = { key: fileKey(sealing.key, head), name: Buffer.from(key), first, last };
    const cut = { start: start - first * chunkBytes, end: end - first * chunkBytes };
    return Readable.from(within(decrypted(chunks, opening), cut), { objectMode: false }).on('error', () => {});
  };
  const put = (key: string, content: Readable) => {
    content.on('error', () => {}); // it may fail before it is read; reading reports it
    const head = Buffer.concat([mark, newest.id, randomBytes(saltBytes)]);
    return store.put(key, Readable.from(encrypted(content, key, head, newest.key), { objectMode: false }));
  };
  const read = async (key: string, range?: ByteRange): Promise<Readable> => {
    for (let attempt = 1; ; attempt++) {
      const head = await headOf(key);
      const content = head ? await opened(key, head, range) : await store.read(key, range);
      const same = await headOf(key);
      if (head === same || (head && same?.equals(head)) || attempt === maxAttempts) return content;
      content.destroy();
    }
  };

  return {
    ...store,
    put: (key, content) => (encrypts && key !== markKey ? put(key, content) : store.put(key, content)),
    read,
    async size(key) {
      const size = await store.size(key);
      if (size === undefined || size < headBytes || !(await headOf(key))) return size;
      return size - headBytes - Math.ceil((size - headBytes) / sealedBytes) * tagBytes;
    },
    async stateOf(key) {
      if ((await store.size(key)) === undefined) return undefined;
      const head = await headOf(key);
      if (!head) return 'plain';
      const sealing = knownOf(head);
      if (!sealing) return 'unreadable';
      return sealing === newest ? 'current' : 'older';
    },
    reseal: async (key) => put(key, await read(key)),
  };
}

interface Known {
  id: Buffer;
  key: Buffer;
}

/** Each file has its own key, so that positions are unique nonces. */
function fileKey(key: Buffer, head: Buffer): KeyObject {
  return createSecretKey(deriveKey(key, `file ${head.subarray(-saltBytes).toString('hex')}`));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce[0] = Number(isLast);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

async function* encrypted(content: Readable, name: string, head: Buffer, key: Buffer): AsyncGenerator<Buffer> {
  const ownKey = fileKey(key, head);
  const seal = (chunk: Buffer, index: number, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', ownKey, nonceOf(index, isLast));
    cipher.setAAD(Buffer.from(name));
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  yield head;
  let index = 0;
  let waiting: Buffer | undefined; // held back, because only the end shows which chunk is the last
  for await (const chunk of chunksOf(content, chunkBytes)) {
    if (waiting) yield seal(waiting, index++, false);
    waiting = chunk;
  }
  yield seal(waiting ?? Buffer.alloc(0), index, true);
}

interface Opening {
  key: KeyObject;
  name: Buffer;
  /** The positions of the first chunk to read, and of the file's last one. */
  first: number;
  last: number;
}

/** @throws when a chunk was altered or moved */
async function* decrypted(chunks: Readable, { key, name, first, last }: Opening): AsyncGenerator<Buffer> {
  let index = first;
  for await (const sealed of chunksOf(chunks, sealedBytes)) {
    if (sealed.length < tagBytes) throw new Error('an encrypted file is truncated');
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, index === last), { authTagLength: tagBytes });
    decipher.setAAD(name);
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    yield Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
    index++;
  }
}

/** @returns chunks of this size; the last may be smaller */
async function* chunksOf(content: Readable, size: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let waiting = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    pieces.push(piece);
    waiting += piece.length;
    if (waiting < size) continue;
    const all = Buffer.concat(pieces);
    let at = 0;
    for (; at + size <= all.length; at += size) yield all.subarray(at, at + size);
    pieces = at < all.length ? [all.subarray(at)] : [];
    waiting = all.length - at;
  }
  if (waiting > 0) yield Buffer.concat(pieces);
}

/** @param cut first and last byte, both inclusive */
async function* within(content: AsyncIterable<Buffer>, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const piece of content) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end + 1 - at, piece.length);
    if (from < to) yield piece.subarray(from, to);
    at += piece.length;
  }
}
