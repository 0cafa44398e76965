/** Generates small images that are expensive to decode. */
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate, deflateSync } from 'node:zlib';

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function pngChunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export interface PngKind {
  depth?: number;
  /** 0 gray, 2 RGB, 3 palette, 6 RGBA. */
  color?: number;
  interlaced?: boolean;
}

export function pngHeader(width: number, height: number, { depth = 8, color = 2, interlaced }: PngKind = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, color, 0, 0, interlaced ? 1 : 0], 8);
  return pngChunk('IHDR', head);
}

/** @param chunks between the header and the image data */
export function pngFile(header: Buffer, chunks: readonly Buffer[], compressed: Buffer): Buffer {
  return Buffer.concat([pngSignature, header, ...chunks, pngChunk('IDAT', compressed), pngChunk('IEND')]);
}

const samplesOfColor: Record<number, number> = { 0: 1, 2: 3, 3: 1, 6: 4 };

/** A black image, compressed as much as possible. */
export async function blackPng(width: number, height: number, kind: PngKind = {}): Promise<Buffer> {
  const { depth = 8, color = 2, interlaced = false } = kind;
  const rowBytes = (pixels: number) => 1 + Math.ceil((pixels * depth * samplesOfColor[color]!) / 8);
  const passes = interlaced ? adam7 : [[0, 0, 1, 1] as const];
  let bytes = 0;
  for (const [x, y, dx, dy] of passes) {
    const pixels = Math.ceil((width - x) / dx);
    if (pixels > 0) bytes += Math.ceil((height - y) / dy) * rowBytes(pixels);
  }
  return pngFile(pngHeader(width, height, kind), [], await compressedZeros(bytes));
}

/** Origin and step of each pass. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const zeroChunk = Buffer.alloc(1024 * 1024);

async function compressedZeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const compressed = buffer(deflate);
  for (let remaining = bytes; remaining > 0; remaining -= zeroChunk.length) {
    if (!deflate.write(zeroChunk.subarray(0, remaining)))
      await new Promise((drained) => deflate.once('drain', drained));
  }
  deflate.end();
  return compressed;
}

/** A 64×64 image with `count` text chunks of 8 MB each, compressed to 8 KB. */
export async function pngOfTexts(kind: 'zTXt' | 'iTXt', count: number): Promise<Buffer> {
  const text = deflateSync(Buffer.alloc(8_000_000, 'A'), { level: 9 });
  const head = Buffer.from(kind === 'zTXt' ? 'k\0\0' : 'k\0\x01\0\0\0', 'latin1');
  const texts = Array<Buffer>(count).fill(pngChunk(kind, Buffer.concat([head, text])));
  return pngFile(pngHeader(64, 64), texts, await compressedZeros(64 * (1 + 64 * 3)));
}

/** A 64×64 image with a color profile of this size. */
export async function pngOfProfile(bytes: number): Promise<Buffer> {
  const profile = Buffer.concat([Buffer.from('p\0\0', 'latin1'), await compressedZeros(bytes)]);
  return pngFile(pngHeader(64, 64), [pngChunk('iCCP', profile)], await compressedZeros(64 * (1 + 64 * 3)));
}

export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A gray progressive JPEG in which every scan after the first changes nothing. */
export function jpegOfScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const size = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  const runs: string[] = [];
  for (let remaining = blocks; remaining > 0; remaining -= maxRun) {
    const run = Math.min(remaining, maxRun);
    const bits = Math.floor(Math.log2(run));
    runs.push(codes[bits]! + (bits === 0 ? '' : (run - 2 ** bits).toString(2).padStart(bits, '0')));
  }
  const empty = Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), stuffed(runs.join(''))]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    jpegSegment(0xc2, size),
    jpegSegment(0xc4, huffmanTable(0x00, [[0], []])),
    jpegSegment(0xc4, huffmanTable(0x10, [[], [], [], Array.from({ length: 15 }, (_, bits) => bits << 4)])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])),
    stuffed('0'.repeat(blocks)),
    ...Array<Buffer>(scans - 1).fill(empty),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const maxRun = 32_767;
/** Codes of the symbols for runs of empty blocks, four bits each. */
const codes = Array.from({ length: 15 }, (_, bits) => bits.toString(2).padStart(4, '0'));

/** @param symbols by code length, from 1 */
function huffmanTable(number: number, symbols: readonly (readonly number[])[]): Buffer {
  const lengths = Array.from({ length: 16 }, (_, at) => symbols[at]?.length ?? 0);
  return Buffer.from([number, ...lengths, ...symbols.flat()]);
}

/** @param bits padded with ones; each 0xff byte is followed by a zero byte */
function stuffed(bits: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}
