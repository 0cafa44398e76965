/** Writes a sheet as XML, group by group. Texts are inline, because a part of shared texts would have to stay in memory. */
import { t } from '../../../contract/languages/text.ts';
import { serialOfIso } from '../cells/dates.ts';
import { SheetError } from '../model/error.ts';
import { escapeFormula, isPlainPhone } from '../model/formula-escape.ts';
import { columnLetter } from '../model/letters.ts';
import { type CellRule, refuseTooManyRows, type Sheet, type SheetColumn } from '../model/sheet.ts';
import { type Cell, type CellKind, readLimits } from '../model/types.ts';
import { xmlText } from '../xml/xml-text.ts';
import { cellStyles, styles } from './styles.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Of one chunk: longer strings stay in memory longer than needed. */
const pieceChars = 65_536;
const linePoints = 15;
/** Prints at page width, whatever the number of columns. */
const pageSetup = '<pageSetup orientation="landscape" fitToHeight="0"/>';
/** Data validation of templates ends far below the last row anybody fills in. */
const lastRuledRow = 100_002;

/** @param listRanges the range of each column's list, for columns with one */
export async function* sheetXml(
  sheet: Sheet,
  listRanges: readonly (string | undefined)[] = [],
): AsyncGenerator<string> {
  const { columns, look = 'data' } = sheet;
  const letters = columns.map((_, column) => columnLetter(column));
  const hasHeader = look !== 'prose';
  let row = 0;
  yield opening(sheet) + (hasHeader ? headerRow(columns, letters, ++row) : '');
  for await (const group of sheet.groups) {
    let xml = '';
    for (const cells of group) {
      refuseTooManyRows(++row);
      xml += rowXml(cells, columns, letters, row, styleIn(sheet, row), look === 'prose' ? height(cells, columns) : '');
      if (xml.length < pieceChars) continue;
      yield xml;
      xml = '';
    }
    if (xml !== '') yield xml;
  }
  yield `</sheetData>${closing(sheet, letters, row, listRanges)}${pageSetup}</worksheet>`;
}

function opening({ columns, look = 'data', visibility = 'visible' }: Sheet): string {
  const pane =
    look === 'prose'
      ? ''
      : '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>';
  const grid = look === 'prose' ? ' showGridLines="0"' : '';
  const view =
    visibility === 'visible' ? `<sheetViews><sheetView${grid} workbookViewId="0">${pane}</sheetView></sheetViews>` : '';
  const cols = columns.map(({ header, kind, width }, at) => {
    const chars = Math.min(60, width ?? Math.max(header.length + 4, defaultWidth[kind]));
    const style = look === 'prose' ? styles.prose : cellStyles[kind];
    return `<col min="${at + 1}" max="${at + 1}" width="${chars}" style="${style}" customWidth="1"/>`;
  });
  return (
    `${head}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
    `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${view}` +
    `<sheetFormatPr defaultRowHeight="${linePoints}"/>${cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''}<sheetData>`
  );
}

const defaultWidth: Record<CellKind, number> = { text: 18, number: 12, money: 14, date: 12, datetime: 20, boolean: 10 };

function headerRow(columns: readonly SheetColumn[], letters: string[], row: number): string {
  const cells = columns.map(({ header, is_required: isRequired }, at) =>
    textXml(`${letters[at]}${row}`, escapeFormula(header), isRequired ? styles.requiredHeader : styles.header),
  );
  return `<row r="${row}">${cells.join('')}</row>`;
}

function rowXml(
  cells: readonly Cell[],
  columns: readonly SheetColumn[],
  letters: string[],
  row: number,
  style: StyleOfKind,
  height: string,
): string {
  let xml = `<row r="${row}"${height}>`;
  for (let at = 0; at < columns.length; at++) {
    const cell = cells[at] ?? null;
    if (cell !== null && cell !== '') xml += cellXml(cell, columns[at]!.kind, letters[at]!, row, style);
  }
  return `${xml}</row>`;
}

/** The height of a row of wrapped text, which not every program computes itself. */
function height(cells: readonly Cell[], columns: readonly SheetColumn[]): string {
  const lines = cells.map((cell, at) =>
    Math.ceil(String(cell ?? '').length / (columns[at]!.width ?? defaultWidth.text)),
  );
  const most = Math.max(1, ...lines);
  return most > 1 ? ` ht="${most * linePoints}" customHeight="1"` : '';
}

type StyleOfKind = (kind: CellKind) => number;

const asData: StyleOfKind = (kind) => cellStyles[kind];
const asExample: StyleOfKind = (kind) => cellStyles[kind] + styles.example;
const asProse: StyleOfKind = (kind) => (kind === 'text' ? styles.prose : cellStyles[kind]);
const asHeading: StyleOfKind = () => styles.heading;

function styleIn({ look = 'data', headingRows }: Sheet, row: number): StyleOfKind {
  if (look === 'prose') return headingRows?.includes(row) ? asHeading : asProse;
  return look === 'example' && row === 2 ? asExample : asData;
}

function cellXml(cell: Cell, kind: CellKind, letter: string, row: number, styleOf: StyleOfKind): string {
  const style = styleOf(kind);
  const reference = `${letter}${row}`;
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${reference}" s="${style}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" s="${style}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = String(cell);
  const serial = kind === 'date' || kind === 'datetime' ? serialOfIso(text) : undefined;
  if (serial !== undefined) return `<c r="${reference}" s="${style}"><v>${serial}</v></c>`;
  if (text.length > readLimits.cell_chars) {
    const details = { row, column: letter, limit: readLimits.cell_chars };
    throw new SheetError('cell_too_long', t`A cell can't have more than ${details.limit} characters.`, details);
  }
  // If there is no room for the apostrophe, the text loses its last character.
  const escaped = isPlainPhone(text) ? text : escapeFormula(text).slice(0, readLimits.cell_chars);
  return textXml(reference, escaped, styleOf('text'));
}

function textXml(reference: string, text: string, style: number): string {
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Elements after the rows, in the order that the format requires. */
function closing(
  { columns, look = 'data' }: Sheet,
  letters: string[],
  lastRow: number,
  listRanges: readonly (string | undefined)[],
): string {
  if (look === 'prose' || columns.length === 0) return '';
  const filter = look === 'data' ? `<autoFilter ref="A1:${letters.at(-1)}${lastRow}"/>` : '';
  const rules = columns.flatMap((column, at) => {
    const range = `${letters[at]}2:${letters[at]}${lastRuledRow}`;
    return column.rule || column.hint ? [ruleXml(column, range, listRanges[at])] : [];
  });
  return (
    filter + (rules.length > 0 ? `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>` : '')
  );
}

function ruleXml({ header, rule, hint }: SheetColumn, range: string, listRange: string | undefined): string {
  const title = xmlText(header.slice(0, 32));
  const words = xmlText(hint?.slice(0, 225) ?? '');
  const prompt = hint ? ` showInputMessage="1" promptTitle="${title}" prompt="${words}"` : '';
  const [kind, formulas] = rule ? formulasOf(rule, listRange) : ['', ''];
  const isStrict = rule && !(rule.kind === 'list' && !rule.is_strict);
  // The program's default message doesn't say what is allowed.
  const error = isStrict && hint ? ` errorTitle="${title}" error="${words}"` : '';
  const strict = isStrict ? ` showErrorMessage="1"${error}` : '';
  return `<dataValidation${kind} allowBlank="1"${strict}${prompt} sqref="${range}">${formulas}</dataValidation>`;
}

function formulasOf(rule: CellRule, listRange: string | undefined): [kind: string, formulas: string] {
  const formulas = (...list: (string | number)[]) =>
    list.map((text, at) => `<formula${at + 1}>${xmlText(String(text))}</formula${at + 1}>`).join('');
  switch (rule.kind) {
    case 'list':
      return listRange ? [' type="list"', formulas(listRange)] : ['', ''];
    case 'date':
      return [' type="date" operator="greaterThanOrEqual"', formulas(1)];
    case 'number':
      return [' type="decimal" operator="between"', formulas(rule.minimum, rule.maximum)];
    case 'length':
      return [' type="textLength" operator="lessThanOrEqual"', formulas(rule.maximum)];
  }
}
