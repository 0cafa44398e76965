/**
 * The records that the parts of a binary workbook are made of ([MS-XLSB] 2.1.4): each has a type and a length, in as many
 * bytes as they need, and its content. Here are those that a table needs.
 */
import { say } from '../../../contract/languages/text.ts';
import { damaged } from '../model/error.ts';

/** Their types. */
export const record = {
  row: 0,
  blank: 1,
  shortNumber: 2,
  error: 3,
  boolean: 4,
  number: 5,
  text: 6,
  namedText: 7,
  textFormula: 8,
  numberFormula: 9,
  booleanFormula: 10,
  errorFormula: 11,
  shortBlank: 12,
  lastShort: 18,
  sharedText: 19,
  format: 44,
  style: 47,
  richText: 62,
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
}

/** A text of 32,767 characters and how each is written, with room; what has more is no part of a table. */
const longestRecordBytes = 1024 * 1024;

/**
 * @param part as it is unpacked
 * @returns them in groups as large as they come
 * @throws SheetError when one of them is not all there
 */
export async function* xlsbRecords(part: AsyncIterable<Buffer>): AsyncGenerator<XlsbRecord[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of part) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const found: XlsbRecord[] = [];
    let at = 0;
    for (let next = recordAt(bytes, at); next; next = recordAt(bytes, at)) {
      found.push(next);
      at = next.end;
    }
    rest = bytes.subarray(at);
    yield found;
  }
  if (rest.length > 0) throw damaged(say`its records end too early`);
}

/** @returns undefined when it is not all there yet */
function recordAt(bytes: Buffer, from: number): (XlsbRecord & { end: number }) | undefined {
  const type = numberAt(bytes, from, 2);
  const length = type && numberAt(bytes, type.end, 4);
  if (!length) return undefined;
  if (length.value > longestRecordBytes) throw damaged(say`a record of it is far too long`);
  const end = length.end + length.value;
  if (end > bytes.length) return undefined;
  return { type: type.value, content: bytes.subarray(length.end, end), end };
}

/** Seven bits of each byte, the lowest first; the eighth says that more come. */
function numberAt(bytes: Buffer, from: number, mostBytes: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let count = 0; count < mostBytes; count++) {
    const byte = bytes[from + count];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 128 ** count;
    if (byte < 0x80) return { value, end: from + count + 1 };
  }
  return { value, end: from + mostBytes };
}

/** A text and where it ends; [MS-XLSB] 2.5.169. */
export function textAt(content: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > content.length) throw damaged(say`a text of it is not all there`);
  const chars = content.readUInt32LE(at);
  if (chars === 0xffff_ffff) return { text: '', end: at + 4 };
  const end = at + 4 + 2 * chars;
  if (end > content.length) throw damaged(say`a text of it is not all there`);
  return { text: content.toString('utf16le', at + 4, end), end };
}
