/** Small files with a long text in many cells are rejected within the memory limit; an ordinary file is the control. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { columnLetter } from '../../../src/platform/sheets/model/letters.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { record as xls, xlsRecord } from '../../../src/platform/sheets/xls/xls-records.ts';
import { textBytes, uint32, record as xlsb, xlsbRecord } from '../../../src/platform/sheets/xls/xlsb-records.ts';
import {
  odsOf,
  sharedText,
  xlsbCell,
  xlsbOf,
  xlsbRow,
  xlsOf,
  xlsSharedText,
} from '../../platform/sheets/other-workbooks.ts';
import { readAll, refusal, workbook } from '../../platform/sheets/workbooks.ts';
import type { ReadAlone } from '../../runner/read-alone.ts';

const reader = new SheetReader(1);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bombs-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await reader.close();
});

const longest = 'x'.repeat(32_767);
/** All texts of a sheet several times over: raw, compressed, and parsed. */
const maxMb = 500;

/** Reads the files one after another in one process. */
async function readAlone(files: Buffer[]): Promise<ReadAlone> {
  const paths = files.map((_, at) => join(folder, String(at)));
  for (const [at, path] of paths.entries()) await writeFile(path, files[at]!);
  const script = fileURLToPath(new URL('../../runner/read-alone.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths]);
  return JSON.parse(stdout);
}

/** Cells that all reference the only shared string. */
function xlsxOf(rows: number, columns: number, text: string): Promise<Buffer> {
  const cells = (row: number) =>
    Array.from({ length: columns }, (_, at) => `<c r="${columnLetter(at)}${row}" t="s"><v>0</v></c>`).join('');
  const data = Array.from({ length: rows }, (_, at) => `<row r="${at + 1}">${cells(at + 1)}</row>`).join('');
  return workbook(data, { 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>` });
}

function xlsSheet(rows: readonly number[], columns: number, text: string): Buffer {
  const cells = rows.flatMap((row) => Array.from({ length: columns }, (_, at) => xlsSharedText(row, at, 0)));
  const texts = xlsRecord(xls.sharedTexts, uint32(1), uint32(1), sharedText(text.slice(0, 8_000), 0));
  return xlsOf(cells, { shared: [texts] });
}

function xlsbSheet(cells: Buffer[]): Promise<Buffer> {
  const texts = xlsbRecord(xlsb.sharedText, Buffer.from([0]), textBytes(longest));
  return xlsbOf(cells, { 'xl/sharedStrings.bin': texts });
}

const rows = (count: number) => Array.from({ length: count }, (_, at) => at);
const named = (column: number) => xlsbCell(xlsb.namedText, column, uint32(0));
const odsRow = (repeated: number) =>
  `<table:table><table:table-row table:number-rows-repeated="${repeated}"><table:table-cell table:number-columns-repeated="20" office:value-type="string"><text:p>${longest}</text:p></table:table-cell></table:table-row></table:table>`;

const bombs: [what: string, code: string, file: () => Buffer | Promise<Buffer>][] = [
  ['xlsx: a text in all cells', 'expands_too_much', () => xlsxOf(12_000, 13, 'x'.repeat(32_000))],
  ['xls: the same, its rows not in order', 'expands_too_much', () => xlsSheet(rows(10_000).reverse(), 40, longest)],
  ['xlsb: rows with too much text', 'cell_too_long', () => xlsbSheet(rows(3_500).flatMap((row) => [xlsbRow(row), ...rows(45).map(named)]))],
  ['ods: a row that is repeated', 'expands_too_much', () => odsOf(odsRow(90_000))],
  ['csv: rows with too much text', 'cell_too_long', () => Buffer.from(`${Array(40).fill('y'.repeat(32_000)).join(',')}\n`.repeat(15))],
]; // biome-ignore format: one a line

test('a long text in many cells is rejected within the memory limit', async () => {
  const control = await readAlone([await xlsxOf(100, 10, 'short')]);
  expect(control.results[0]!.rows).toHaveLength(100);
  const files = await Promise.all(bombs.map(([, , make]) => make()));
  const read = await readAlone(files);
  expect(bombs.map(([what], at) => [what, read.results[at]])).toEqual(bombs.map(([what, code]) => [what, { code }]));
  expect(read.peak_mb - control.peak_mb).toBeLessThan(maxMb);
}, 120_000);

test('reads exactly the allowed amount in small steps', async () => {
  const file = await xlsxOf(2_000, 32, 'x'.repeat(1_000));
  const table = await reader.open(file);
  let chars = 0;
  for await (const group of table.groups) {
    const cellChars = group.flatMap(({ cells }) => cells).reduce<number>((sum, cell) => sum + String(cell).length, 0);
    expect(cellChars).toBeLessThanOrEqual(2 * 1024 * 1024); // at most one row more than requested
    chars += cellChars;
  }
  expect(chars).toBe(64_000_000);
}, 60_000);

test('reads unordered rows of an xls', async () => {
  const { rows: found } = await readAll(reader, xlsSheet([2, 0, 1], 2, 'same'));
  expect(found.map(({ row }) => row)).toEqual([1, 2, 3]);
});

test('rejects a text of endless parts, none of which is too long', async () => {
  const part = `<![CDATA[${randomBytes(45_000).toString('base64')}]]><!-- -->`; // hardly compressible
  for (const cell of [
    `<c t="inlineStr"><is><t>${part.repeat(200)}</t></is></c>`,
    `<c t="str"><v>${part.repeat(200)}</v></c>`,
    `<c><f>1</f><v>${part.repeat(200)}</v></c>`,
  ]) {
    expect(await refusal(reader, await workbook(`<row>${cell}</row>`))).toMatchObject({ code: 'cell_too_long' });
  }
  const texts = { 'xl/sharedStrings.xml': `<sst><si><t>${part.repeat(200)}</t></si></sst>` };
  expect(await refusal(reader, await workbook('<row/>', texts))).toMatchObject({ code: 'cell_too_long' });
  const ods = `<table:table><table:table-row><table:table-cell office:value-type="string"><text:p>${'<text:s text:c="1000000000"/>'.repeat(5_000)}</text:p></table:table-cell></table:table-row></table:table>`;
  expect(await refusal(reader, await odsOf(ods))).toMatchObject({ code: 'cell_too_long' });
});

test('counts repeated formats of an xlsb once, and limits styles', async () => {
  const code = textBytes('0'.repeat(60));
  const format = xlsbRecord(xlsb.format, Buffer.from([200, 0]), code);
  const style = xlsbRecord(xlsb.style, Buffer.from([0, 0, 200, 0]), Buffer.alloc(12));
  const styles = (formats: number, count: number) =>
    Buffer.concat([
      ...Array(formats).fill(format),
      xlsbRecord(xlsb.beginStyles),
      ...Array(count).fill(style),
      xlsbRecord(xlsb.endStyles),
    ]);
  const cells = [xlsbRow(0), xlsbCell(xlsb.number, 0, Buffer.alloc(8))];
  const { rows: found } = await readAll(reader, await xlsbOf(cells, { 'xl/styles.bin': styles(100_000, 1) }), {
    limits: { expansion: 1e6 },
  });
  expect(found).toHaveLength(1);
  const many = await xlsbOf(cells, { 'xl/styles.bin': styles(1, 70_000) });
  expect(await refusal(reader, many, { limits: { expansion: 1e6 } })).toMatchObject({ code: 'damaged' });
});

test('rejects a broken relation', async () => {
  const relations = `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="http://[bad"/></Relationships>`;
  const file = await workbook('<row/>', { 'xl/_rels/workbook.xml.rels': relations });
  expect(await refusal(reader, file)).toMatchObject({ code: 'damaged' });
  const root = await workbook('<row/>', { '_rels/.rels': relations.replace('worksheet', 'officeDocument') });
  expect(await refusal(reader, root)).toMatchObject({ code: 'not_a_workbook' });
});
