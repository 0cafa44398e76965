/** Rows of a workbook of Excel 97 to 2003 (xls). */
import { say } from '../../../contract/languages/text.ts';
import { booleanCell, errorCell, type FoundCell, numberCell, rowOf, textCell } from '../cells/found-cell.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { damaged, SheetError } from '../model/error.ts';
import { refuseRow, refuseText } from '../model/too-much.ts';
import type { ReadLimits, Row } from '../model/types.ts';
import { SheetMarks } from '../sheet-marks.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { macros, passwordProtected } from '../xml/archive.ts';
import { openContainer } from '../xml/container.ts';
import { shortNumber, withinRecord } from './records.ts';
import { readXlsBook, record, type XlsBook, type XlsRecord, type XlsSheet, xlsRecords } from './xls-records.ts';
import { textIn } from './xls-texts.ts';

/** @param sheet its name; by default the first that is visible */
export function readXls(bytes: Buffer, sheet: string | undefined, limits: ReadLimits): Table {
  const container = openContainer(bytes);
  if (container.has('EncryptedPackage')) throw passwordProtected();
  if (container.has('_VBA_PROJECT_CUR')) throw macros();
  const stream = container.file('Workbook') ?? container.file('Book');
  if (!stream) throw new SheetError('not_a_workbook', say`The file is no workbook (xlsx, xls, xlsb or ods).`);
  const book = readXlsBook(stream);
  const { chosen, names } = chooseSheet(book.sheets, sheet);
  return {
    info: { format: 'xls', ...names, from1904: book.from1904 },
    groups: readRows(stream, book, chosen, limits),
    marks: marksOf(stream, chosen),
  };
}

const groupRows = 500;

/** Few programs mix up the rows; of a sheet by one that does, all rows are found before the first is given out. */
async function* readRows(stream: Buffer, book: XlsBook, sheet: XlsSheet, limits: ReadLimits): AsyncGenerator<Row[]> {
  const sorted = isSorted(stream, sheet);
  let found = new Map<number, FoundCell[]>();
  let rowCount = 0;
  const takeRows = () => {
    const inOrder = [...found].toSorted(([a], [b]) => a - b);
    found = new Map();
    const rows = inOrder.flatMap(([row, cells]) => rowOf(row + 1, cells, limits) ?? []);
    rowCount += rows.length;
    refuseRow(rowCount, limits);
    return rows;
  };
  let formula: FoundCell | undefined;
  for (const each of sheetRecords(stream, sheet)) {
    if (each.type === record.formulaText && formula) Object.assign(formula, textCell(textIn(each.parts)));
    if (!cellTypes.has(each.type)) continue;
    const [row, column, cells] = withinRecord(() => cellsOf(each, book, limits));
    formula = each.type === record.formula && cells[0]!.value === '' ? cells[0] : undefined;
    if (sorted && found.size >= groupRows && !found.has(row)) yield takeRows();
    const line = found.get(row) ?? [];
    for (const [at, cell] of cells.entries()) line[column + at] = cell;
    found.set(row, line);
  }
  yield takeRows();
}

const cellTypes = new Set<number>([
  record.number,
  record.shortNumber,
  record.numbers,
  record.boolean,
  record.text,
  record.richText,
  record.sharedText,
  record.formula,
]);
/** Of row, column and style, with which each begins. */
const placeBytes = 6;
const formulaBytes = 20;

/** Several in one row and beside each other only of a record with several numbers. */
function cellsOf(
  { type, parts }: XlsRecord,
  { styles, from1904, texts }: XlsBook,
  limits: ReadLimits,
): [row: number, column: number, cells: FoundCell[]] {
  const [content] = parts;
  const row = content.readUInt16LE(0);
  const column = content.readUInt16LE(2);
  const number = (value: number, at = 4) => numberCell(value, styles[content.readUInt16LE(at)], from1904);
  const one = (cell: FoundCell): [number, number, FoundCell[]] => [row, column, [cell]];
  switch (type) {
    case record.number:
      return one(number(content.readDoubleLE(placeBytes)));
    case record.shortNumber:
      return one(number(shortNumber(content, placeBytes)));
    case record.numbers: {
      const count = (content.length - placeBytes) / 6;
      if (content.readUInt16LE(content.length - 2) !== column + count - 1) {
        throw damaged(say`a cell of it ends too early`);
      }
      const places = Array.from({ length: count }, (_, at) => 4 + 6 * at);
      return [row, column, places.map((at) => number(shortNumber(content, at + 2), at))];
    }
    case record.boolean:
      return one(valueCell(content.readUInt8(placeBytes), content.readUInt8(placeBytes + 1) === 1));
    case record.sharedText: {
      const text = texts[content.readUInt32LE(placeBytes)];
      if (text === undefined) throw damaged(say`a cell has a text that is not there`);
      refuseText(text, row + 1, column, limits);
      return one(textCell(text));
    }
    case record.formula:
      return one({ ...resultOf(content, number), isFormula: true });
    default:
      return one(textCell(textIn(parts, placeBytes)));
  }
}

function valueCell(value: number, isError: boolean): FoundCell {
  return isError ? errorCell(value) : booleanCell(value === 1);
}

/** The last result of a formula ([MS-XLS] 2.5.133); a text comes in the record behind it. */
function resultOf(content: Buffer, number: (value: number) => FoundCell): FoundCell {
  if (content.length < formulaBytes) throw damaged(say`a cell of it ends too early`);
  if (content.readUInt16LE(placeBytes + 6) !== 0xffff) return number(content.readDoubleLE(placeBytes));
  const kind = content.readUInt8(placeBytes);
  return kind === 1 || kind === 2 ? valueCell(content.readUInt8(placeBytes + 2), kind === 2) : textCell('');
}

/** What the record that begins a sheet says of one with macros in its cells. */
const macroSheet = 0x0040;

/** Without those of charts within the sheet. */
function* sheetRecords(stream: Buffer, { at }: XlsSheet): Generator<XlsRecord> {
  let depth = 0;
  for (const found of xlsRecords(stream, at)) {
    const { type, parts } = found;
    if (depth === 0) {
      if (type !== record.begin || parts[0].length < 4) throw damaged(say`a sheet is not where it should be`);
      if (parts[0].readUInt16LE(2) === macroSheet) throw macros();
    }
    if (type === record.begin) depth++;
    if (type === record.end && --depth === 0) return;
    if (depth <= 1) yield found;
  }
}

/** What a row says of itself when nobody sees it. */
const hiddenRow = 0x20;

function marksOf(stream: Buffer, sheet: XlsSheet): SheetMarks {
  const marks = new SheetMarks();
  for (const { type, parts } of sheetRecords(stream, sheet)) {
    const [content] = parts;
    if (type === record.row && content.length >= 16 && (content[12]! & hiddenRow) !== 0) {
      marks.addHidden(content.readUInt16LE(0) + 1);
    }
    if (type !== record.merged) continue;
    for (let place = 2; place + 8 <= content.length; place += 8) {
      const [first, last, column] = [0, 2, 4].map((more) => content.readUInt16LE(place + more));
      marks.addMerged({ column: column!, first: first! + 1, last: last! + 1 });
    }
  }
  return marks;
}

function isSorted(stream: Buffer, sheet: XlsSheet): boolean {
  let last = 0;
  for (const { type, parts } of sheetRecords(stream, sheet)) {
    if (!cellTypes.has(type) || parts[0].length < 2) continue;
    const row = parts[0].readUInt16LE(0);
    if (row < last) return false;
    last = row;
  }
  return true;
}
