/** Reads the records of a binary workbook ([MS-XLSB] 2.1.4): variable-length type and length, then the content. */
import { t } from '../../../contract/languages/text.ts';
import { damaged } from '../model/error.ts';

export const record = {
  row: 0,
  blank: 1,
  number: 5,
  text: 6,
  namedText: 7,
  firstFormula: 8,
  lastFormula: 11,
  shortBlank: 12,
  lastShort: 18,
  sharedText: 19,
  format: 44,
  style: 47,
  richText: 62,
  beginSheet: 129,
  endSheet: 130,
  beginBook: 131,
  endBook: 132,
  beginSheets: 143,
  endSheets: 144,
  beginCells: 145,
  endCells: 146,
  bookProperties: 153,
  sheet: 156,
  merged: 176,
  beginStyles: 617,
  endStyles: 618,
} as const;

export interface XlsbRecord {
  type: number;
  content: Buffer;
  /** The whole record. */
  bytes: Buffer;
}

/** Room for a text of 32,767 characters with their formatting; longer records aren't part of a table. */
const maxRecordBytes = 1024 * 1024;

/** @param part streamed while unpacking @throws SheetError when a record is truncated */
export async function* xlsbRecords(part: AsyncIterable<Buffer>): AsyncGenerator<XlsbRecord[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of part) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const found: XlsbRecord[] = [];
    let at = 0;
    for (let next = recordAt(bytes, at); next; next = recordAt(bytes, at)) {
      found.push(next);
      at += next.bytes.length;
    }
    rest = bytes.subarray(at);
    yield found;
  }
  if (rest.length > 0) throw damaged(t`its records end too early`);
}

/** @returns undefined when the record is incomplete */
function recordAt(bytes: Buffer, from: number): XlsbRecord | undefined {
  const type = numberAt(bytes, from, 2);
  const length = type && numberAt(bytes, type.end, 4);
  if (!length) return undefined;
  if (length.value > maxRecordBytes) throw damaged(t`a record of it is far too long`);
  const end = length.end + length.value;
  if (end > bytes.length) return undefined;
  return { type: type.value, content: bytes.subarray(length.end, end), bytes: bytes.subarray(from, end) };
}

/** Seven bits per byte, lowest first; the eighth means that more follow. */
function numberAt(bytes: Buffer, from: number, maxBytes: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let count = 0; count < maxBytes; count++) {
    const byte = bytes[from + count];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 128 ** count;
    if (byte < 0x80) return { value, end: from + count + 1 };
  }
  return { value, end: from + maxBytes };
}

/** @param parts consecutive parts of the content */
export function xlsbRecord(type: number, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([...numberBytes(type), ...numberBytes(length)]), ...parts]);
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))];
}

/** A text and its end offset; [MS-XLSB] 2.5.169. */
export function textAt(content: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > content.length) throw damaged(t`a text of it is not all there`);
  const chars = content.readUInt32LE(at);
  if (chars === 0xffff_ffff) return { text: '', end: at + 4 };
  const end = at + 4 + 2 * chars;
  if (end > content.length) throw damaged(t`a text of it is not all there`);
  return { text: content.toString('utf16le', at + 4, end), end };
}

export function textBytes(text: string): Buffer {
  return Buffer.concat([uint32(text.length), Buffer.from(text, 'utf16le')]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
