/** Sanitizes PNG files (ISO/IEC 15948): drops texts, which the library would unpack into memory, and animation frames (APNG). */
import { inflateSync } from 'node:zlib';
import { damagedPhoto, maxMetadataBytes, refuseMetadata, refuseSize } from './limits.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const headerBytes = 13;
/** Length, type, and checksum. */
const aroundBytes = 12;
const end = Buffer.from('0000000049454e44ae426082', 'hex');

/** Decoded samples per pixel, by color type: a palette's are looked up. */
const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 3],
  [4, 2],
  [6, 4],
]);

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}

/** @returns the same picture with only the needed chunks @throws PhotoError when it is damaged or too expensive */
export function sanitizePng(bytes: Buffer): Buffer {
  const retained: Buffer[] = [signature];
  const seenTypes = new Set<string>();
  let metadataBytes = 0;
  for (const { type, content, chunk } of chunksOf(bytes)) {
    const isFirst = !seenTypes.has(type);
    if (seenTypes.size === 0 && type !== 'IHDR') throw damagedPhoto();
    seenTypes.add(type);
    if (type === 'IEND') break;
    if (type === 'IDAT') retained.push(chunk);
    else if (!isFirst) continue;
    else if (type === 'IHDR') refuseLarge(content);
    else if (type === 'iCCP') metadataBytes += profileBytes(content);
    else if (type === 'PLTE' || type === 'tRNS' || type === 'eXIf') metadataBytes += content.length;
    else continue;
    refuseMetadata(metadataBytes);
    if (type !== 'IDAT') retained.push(chunk);
  }
  if (!seenTypes.has('IDAT')) throw damagedPhoto();
  return Buffer.concat([...retained, end]);
}

interface Chunk {
  type: string;
  content: Buffer;
  /** The whole chunk. */
  chunk: Buffer;
}

/** @throws PhotoError when a chunk is truncated */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = signature.length; at < bytes.length; ) {
    if (at + aroundBytes > bytes.length) throw damagedPhoto();
    const next = at + aroundBytes + bytes.readUInt32BE(at);
    if (next > bytes.length) throw damagedPhoto();
    const type = bytes.toString('latin1', at + 4, at + 8);
    yield { type, content: bytes.subarray(at + 8, next - 4), chunk: bytes.subarray(at, next) };
    at = next;
  }
}

/** Assumes transparency, which a single chunk may add. */
function refuseLarge(header: Buffer): void {
  const color = header.length === headerBytes ? samples.get(header[9]!) : undefined;
  if (color === undefined) throw damagedPhoto();
  const withAlpha = color % 2 === 1 ? color + 1 : color;
  const sampleBytes = header[8] === 16 ? 2 : 1;
  refuseSize(header.readUInt32BE(0), header.readUInt32BE(4), withAlpha * sampleBytes);
}

/** @returns the unpacked size of a color profile, which is compressed after its name */
function profileBytes(content: Buffer): number {
  const packed = content.subarray(content.indexOf(0) + 2);
  try {
    return content.length + inflateSync(packed, { maxOutputLength: maxMetadataBytes }).length;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return Number.POSITIVE_INFINITY;
    return content.length; // the library ignores a damaged one
  }
}
