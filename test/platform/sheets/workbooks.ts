/** Workbooks assembled part by part in ways that no program would, and helpers to read them. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { SheetError } from '../../../src/platform/sheets/model/error.ts';
import type { Row, TableInfo } from '../../../src/platform/sheets/model/types.ts';
import type { ReadOptions, SheetReader } from '../../../src/platform/sheets/reader.ts';

export type Parts = Record<string, string | Buffer>;

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function workbookParts(sheetData: string, more: Parts = {}): Parts {
  return {
    '[Content_Types].xml': `${head}<Types/>`,
    '_rels/.rels': `${head}<Relationships><Relationship Id="r1" Type="${types}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${types}"><sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="r1" Type="${types}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${types}/styles" Target="/xl/styles.xml"/><Relationship Id="r3" Type="${types}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`,
    ...more,
  };
}

export async function zipped(parts: Parts): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) {
    // OpenDocument has its type in the first bytes, so it isn't compressed.
    zip.addBuffer(Buffer.from(content), path, { compress: path !== 'mimetype' });
  }
  zip.end();
  return buffer(zip.outputStream);
}

export async function workbook(sheetData: string, more: Parts = {}): Promise<Buffer> {
  return zipped(workbookParts(sheetData, more));
}

export async function readAll(
  reader: SheetReader,
  source: Uint8Array | string,
  options?: ReadOptions,
): Promise<{ info: TableInfo; rows: Row[] }> {
  const table = await reader.open(source, options);
  const rows: Row[] = [];
  for await (const row of table.rows) rows.push(row);
  return { info: table.info, rows };
}

export async function refusal(reader: SheetReader, source: Uint8Array, options?: ReadOptions): Promise<SheetError> {
  try {
    await readAll(reader, source, options);
  } catch (error) {
    if (error instanceof SheetError) return error;
    throw error;
  }
  throw new Error('The file was read.');
}

/** Offsets of the entries in an archive's central directory. */
export function listed(bytes: Buffer): number[] {
  const positions: number[] = [];
  const mark = Buffer.from('504b0102', 'hex');
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) positions.push(at);
  return positions;
}
