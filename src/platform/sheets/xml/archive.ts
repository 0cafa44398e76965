/**
 * The zip archive of a workbook. Its directory is checked before anything is unpacked, which detects bombs, macros, passwords,
 * and external links. While unpacking, a part must not exceed its declared size, and must match its checksum.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { t } from '../../../contract/languages/text.ts';
import { damaged, SheetError } from '../model/error.ts';
import type { Effort } from '../model/time-limit.ts';
import type { ReadLimits } from '../model/types.ts';
import { plainPath } from './part-paths.ts';
import { xmlEncoding } from './xml-encoding.ts';

const maxParts = 2_000;
/** Below this size the compression ratio doesn't matter. */
const smallPartBytes = 4 * 1024 * 1024;
/** Of parts read as a whole: everything but sheets and shared texts. */
const wholePartBytes = 16 * 1024 * 1024;
/** Enough for the XML declaration. */
const xmlHeadBytes = 512;

export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;

  readonly #effort: Effort;

  constructor(zip: ZipFile, entries: Map<string, Entry>, effort: Effort) {
    this.#effort = effort;
    this.#zip = zip;
    this.#entries = entries;
  }

  has(path: string): boolean {
    return this.#entries.has(plainPath(path));
  }

  /** A part, streamed while unpacking. */
  async *bytes(path: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(plainPath(path));
    if (!entry) throw damaged(t`the part ${path} is missing`);
    let sum = 0;
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        const bytes: Buffer = chunk;
        sum = crc32(bytes, sum);
        this.#effort.check();
        yield bytes;
      }
    } catch (error) {
      throw error instanceof SheetError ? error : damaged(t`the part ${path} can't be unpacked`, error);
    }
    if (sum !== entry.crc32) throw damaged(t`the part ${path} doesn't match its checksum`);
  }

  /** The same as text. */
  async *pieces(path: string): AsyncGenerator<string> {
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let head: Buffer = Buffer.alloc(0);
    const decoded = (bytes?: Buffer) => {
      try {
        decoder ??= new TextDecoder(xmlEncoding(head), { fatal: true });
        return decoder.decode(bytes, { stream: bytes !== undefined });
      } catch (error) {
        throw damaged(t`the part ${path} is not in the encoding that it begins in`, error);
      }
    };
    for await (const bytes of this.bytes(path)) {
      if (decoder) {
        yield decoded(bytes);
        continue;
      }
      head = Buffer.concat([head, bytes]);
      if (head.length >= xmlHeadBytes) yield decoded(head);
    }
    if (!decoder) yield decoded(head);
    yield decoded();
  }

  async text(path: string): Promise<string> {
    let text = '';
    for await (const piece of this.pieces(path)) {
      text += piece;
      if (text.length > wholePartBytes) throw expandsTooMuch(wholePartBytes);
    }
    return text;
  }
}

/** @throws SheetError for an invalid or damaged archive, or one that must not be unpacked */
export async function openArchive(bytes: Buffer, limits: ReadLimits, effort: Effort): Promise<Archive> {
  const entries = new Map<string, Entry>();
  let expanded = 0;
  try {
    const zip = await fromBufferPromise(bytes.subarray(0, archiveEnd(bytes)), { lazyEntries: true });
    if (zip.entryCount > maxParts) throw expandsTooMuch(limits.expandedBytes);
    for await (const entry of zip.eachEntry()) {
      expanded += entry.uncompressedSize;
      refusePart(partOf(entry), expanded, limits);
      const name = plainPath(entry.fileName);
      if (entries.has(name)) throw damaged(t`it has the part ${entry.fileName} twice`);
      entries.set(name, entry);
    }
    return new Archive(zip, entries, effort);
  } catch (error) {
    throw error instanceof SheetError ? error : damaged(t`its list of parts can't be read`, error);
  }
}

/** A part of an archive, from its directory. */
interface ArchivePart {
  name: string;
  isEncrypted: boolean;
  packedBytes: number;
  unpackedBytes: number;
}

/** @param expanded unpacked bytes of all parts up to this one @throws SheetError for bombs, macros, and passwords */
export function refusePart(part: ArchivePart, expanded: number, limits: ReadLimits): void {
  if (part.isEncrypted || part.name === 'encrypted-package') throw passwordProtected();
  if (expanded > limits.expandedBytes) throw expandsTooMuch(limits.expandedBytes);
  const isLarge = part.unpackedBytes > smallPartBytes;
  if (isLarge && part.unpackedBytes > limits.expansion * part.packedBytes) {
    throw expandsTooMuch(limits.expandedBytes);
  }
  const path = plainPath(part.name);
  if (/(^|\/)vbaProject[^/]*\.bin$|^xl\/macrosheets\/|^(Basic|Scripts)\/./i.test(path)) {
    throw macros();
  }
}

function partOf(entry: Entry): ArchivePart {
  const { fileName: name, compressedSize: packedBytes, uncompressedSize: unpackedBytes } = entry;
  return { name, isEncrypted: entry.isEncrypted(), packedBytes, unpackedBytes };
}

export function passwordProtected(): SheetError {
  return new SheetError('password_protected', t`The workbook is protected by a password. Save it without one.`);
}

export function macros(): SheetError {
  return new SheetError('macros', t`The workbook has macros. Save it as a workbook without macros (xlsx).`);
}

function expandsTooMuch(limit: number): SheetError {
  return new SheetError('expands_too_much', t`The workbook becomes far too large when it is unpacked.`, { limit });
}

/**
 * Where the archive ends: ignores bytes appended in transit.
 * @param before number of bytes in front of `tail`
 * @returns the number of bytes that belong to it; all if its end isn't found
 */
export function archiveEnd(tail: Buffer, before = 0): number {
  const mark = Buffer.from('504b0506', 'hex');
  for (let at = tail.lastIndexOf(mark); at >= 0; at = at > 0 ? tail.lastIndexOf(mark, at - 1) : -1) {
    if (at + endBytes > tail.length) continue;
    const listEnd = tail.readUInt32LE(at + 12) + tail.readUInt32LE(at + 16);
    if (listEnd !== before + at) continue; // bytes of a part that look like it, or an archive of more than 4 GB
    return Math.min(at + endBytes + tail.readUInt16LE(at + 20), tail.length);
  }
  return tail.length;
}

/** Size of the end record without a comment. */
const endBytes = 22;
