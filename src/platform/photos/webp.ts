/** Sanitizes WebP files (RFC 9649): keeps the chunks a photo needs, and the first frame of an animation. */
import { damagedPhoto, refuseMetadata, refuseSize } from './limits.ts';

const headBytes = 12;
const chunkHeadBytes = 8;
const pixelBytes = 4;
const pictureTypes = new Set(['VP8 ', 'VP8L', 'ANMF']);
const metadataTypes = new Set(['ICCP', 'EXIF']);
const otherTypes = new Set(['VP8X', 'ANIM', 'ALPH']);

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, headBytes) === 'WEBP';
}

/** @returns the same picture with only the needed chunks @throws PhotoError when it is damaged or too expensive */
export function sanitizeWebp(bytes: Buffer): Buffer {
  const retained: Buffer[] = [];
  let hasPicture = false;
  let metadataBytes = 0;
  for (const { type, content, chunk } of chunksOf(bytes)) {
    const isPicture = pictureTypes.has(type);
    if (isPicture && hasPicture) continue;
    hasPicture ||= isPicture;
    if (metadataTypes.has(type)) metadataBytes += content.length;
    else if (!isPicture && !otherTypes.has(type)) continue;
    refuseMetadata(metadataBytes);
    refuseLarge(type, content);
    retained.push(chunk);
  }
  if (!hasPicture) throw damagedPhoto();
  const content = Buffer.concat(retained);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
}

interface Chunk {
  type: string;
  content: Buffer;
  /** The whole chunk, with its padding byte. */
  chunk: Buffer;
}

/** @throws PhotoError when a chunk is truncated */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  const fileEnd = Math.min(bytes.length, bytes.readUInt32LE(4) + chunkHeadBytes);
  for (let at = headBytes; at + chunkHeadBytes <= fileEnd; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const from = at + chunkHeadBytes;
    const next = from + length + (length % 2);
    if (from + length > fileEnd) throw damagedPhoto();
    const padded = next > fileEnd ? Buffer.concat([bytes.subarray(at, from + length), Buffer.alloc(1)]) : undefined;
    yield { type, content: bytes.subarray(from, from + length), chunk: padded ?? bytes.subarray(at, next) };
    at = next;
  }
}

/** Checks the size of the canvas, a frame, and a picture, wherever it is declared. */
function refuseLarge(type: string, content: Buffer): void {
  if (type === 'VP8X') refuseSized(content, 10, () => [uint24(content, 4) + 1, uint24(content, 7) + 1]);
  else if (type === 'ANMF') refuseSized(content, 16, () => [uint24(content, 6) + 1, uint24(content, 9) + 1]);
  else if (type === 'VP8 ') {
    refuseSized(content, 10, () => [content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff]);
  } else if (type === 'VP8L') {
    refuseSized(content, 5, () => [(uint24(content, 1) & 0x3fff) + 1, ((content.readUInt32LE(1) >>> 14) & 0x3fff) + 1]);
  }
}

function refuseSized(content: Buffer, minBytes: number, size: () => [width: number, height: number]): void {
  if (content.length < minBytes) throw damagedPhoto();
  const [width, height] = size();
  refuseSize(width, height, pixelBytes);
}

function uint24(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at, 3);
}
