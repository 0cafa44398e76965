/** Records of old workbooks ([MS-XLS]) and of binary ones ([MS-XLSB]), written as programs write them. */
import { record as xls } from '../../../src/platform/sheets/xls/xls-records.ts';
import { record as xlsb } from '../../../src/platform/sheets/xls/xlsb-records.ts';

export const xlsTypes = xls;
/** With those that a reader does not need. */
export const xlsbTypes = { ...xlsb, beginSheet: 129, endSheet: 130, beginBook: 131, endBook: 132 } as const;

/** @param parts the content, one after another */
export function xlsRecord(type: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** @param parts the content, one after another */
export function xlsbRecord(type: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...numberBytes(type), ...numberBytes(content.length)]), content]);
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))];
}

export function textBytes(text: string): Buffer {
  return Buffer.concat([uint32(text.length), Buffer.from(text, 'utf16le')]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
