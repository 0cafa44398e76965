/**
 * A sheet as XML, group by group. Texts stand in their cells and not in a part of shared texts: that would have to be held
 * until the end.
 */
import { say } from '../../contract/languages/text.ts';
import { serialOfIso } from './dates.ts';
import { SheetError } from './error.ts';
import { columnLetter } from './letters.ts';
import { isPlainPhone, neutralise } from './neutral.ts';
import { type CellRule, refuseTooManyRows, type Sheet, type SheetColumn } from './sheet.ts';
import { style_of, styles } from './styles.ts';
import { type Cell, type CellKind, read_limits } from './types.ts';
import { xmlText } from './xml-text.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Of one piece: long texts stay in memory longer than they are needed. */
const piece_chars = 65_536;
const line_points = 15;
/** On paper as wide as a page, whatever the number of columns. */
const page_setup = '<pageSetup orientation="landscape" fitToHeight="0"/>';
/** Far below which template rows are still checked. */
const last_ruled_row = 100_002;

/** @param list_ranges where the values of each column's list stand, for columns with a list */
export async function* sheetXml(
  sheet: Sheet,
  list_ranges: readonly (string | undefined)[] = [],
): AsyncGenerator<string> {
  const { columns, look = 'data' } = sheet;
  const letters = columns.map((_, column) => columnLetter(column));
  const has_header = look !== 'prose';
  let row = 0;
  yield opening(sheet) + (has_header ? headerRow(columns, letters, ++row) : '');
  for await (const group of sheet.groups) {
    let xml = '';
    for (const cells of group) {
      refuseTooManyRows(++row);
      xml += rowXml(cells, columns, letters, row, styleIn(sheet, row), look === 'prose' ? height(cells, columns) : '');
      if (xml.length < piece_chars) continue;
      yield xml;
      xml = '';
    }
    if (xml !== '') yield xml;
  }
  yield `</sheetData>${closing(sheet, letters, row, list_ranges)}${page_setup}</worksheet>`;
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
    const chars = Math.min(60, width ?? Math.max(header.length + 4, usual_width[kind]));
    const style = look === 'prose' ? styles.prose : style_of[kind];
    return `<col min="${at + 1}" max="${at + 1}" width="${chars}" style="${style}" customWidth="1"/>`;
  });
  return (
    `${head}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
    `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${view}` +
    `<sheetFormatPr defaultRowHeight="${line_points}"/>${cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''}<sheetData>`
  );
}

const usual_width: Record<CellKind, number> = { text: 18, number: 12, money: 14, date: 12, datetime: 20, boolean: 10 };

function headerRow(columns: readonly SheetColumn[], letters: string[], row: number): string {
  const cells = columns.map(({ header, is_required }, at) =>
    textXml(`${letters[at]}${row}`, neutralise(header), is_required ? styles.required_header : styles.header),
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

/** Of a row of text that wraps: not every program finds out by itself how many lines it takes. */
function height(cells: readonly Cell[], columns: readonly SheetColumn[]): string {
  const lines = cells.map((cell, at) =>
    Math.ceil(String(cell ?? '').length / (columns[at]!.width ?? usual_width.text)),
  );
  const most = Math.max(1, ...lines);
  return most > 1 ? ` ht="${most * line_points}" customHeight="1"` : '';
}

type StyleOfKind = (kind: CellKind) => number;

const asData: StyleOfKind = (kind) => style_of[kind];
const asExample: StyleOfKind = (kind) => style_of[kind] + styles.example;
const asProse: StyleOfKind = (kind) => (kind === 'text' ? styles.prose : style_of[kind]);
const asHeading: StyleOfKind = () => styles.heading;

function styleIn({ look = 'data', heading_rows }: Sheet, row: number): StyleOfKind {
  if (look === 'prose') return heading_rows?.includes(row) ? asHeading : asProse;
  return look === 'example' && row === 2 ? asExample : asData;
}

function cellXml(cell: Cell, kind: CellKind, letter: string, row: number, styleOf: StyleOfKind): string {
  const style = styleOf(kind);
  const place = `${letter}${row}`;
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${place}" s="${style}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${place}" s="${style}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = String(cell);
  const serial = kind === 'date' || kind === 'datetime' ? serialOfIso(text) : undefined;
  if (serial !== undefined) return `<c r="${place}" s="${style}"><v>${serial}</v></c>`;
  if (text.length > read_limits.cell_chars) {
    const details = { row, column: letter, limit: read_limits.cell_chars };
    throw new SheetError('cell_too_long', say`A cell can not have more than ${details.limit} characters.`, details);
  }
  // Where there is no room for the apostrophe, the last character gives way: no formula does.
  const harmless = isPlainPhone(text) ? text : neutralise(text).slice(0, read_limits.cell_chars);
  return textXml(place, harmless, styleOf('text'));
}

function textXml(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** What stands behind the rows, in the order that the format wants. */
function closing(
  { columns, look = 'data' }: Sheet,
  letters: string[],
  last_row: number,
  list_ranges: readonly (string | undefined)[],
): string {
  if (look === 'prose' || columns.length === 0) return '';
  const filter = look === 'data' ? `<autoFilter ref="A1:${letters.at(-1)}${last_row}"/>` : '';
  const rules = columns.flatMap((column, at) => {
    const range = `${letters[at]}2:${letters[at]}${last_ruled_row}`;
    return column.rule || column.hint ? [ruleXml(column, range, list_ranges[at])] : [];
  });
  return (
    filter + (rules.length > 0 ? `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>` : '')
  );
}

function ruleXml({ header, rule, hint }: SheetColumn, range: string, list_range: string | undefined): string {
  const title = xmlText(header.slice(0, 32));
  const words = xmlText(hint?.slice(0, 225) ?? '');
  const prompt = hint ? ` showInputMessage="1" promptTitle="${title}" prompt="${words}"` : '';
  const [kind, formulas] = rule ? formulasOf(rule, list_range) : ['', ''];
  const is_strict = rule && !(rule.kind === 'list' && !rule.is_strict);
  // What the program says by itself does not tell what may stand there.
  const error = is_strict && hint ? ` errorTitle="${title}" error="${words}"` : '';
  const strict = is_strict ? ` showErrorMessage="1"${error}` : '';
  return `<dataValidation${kind} allowBlank="1"${strict}${prompt} sqref="${range}">${formulas}</dataValidation>`;
}

function formulasOf(rule: CellRule, list_range: string | undefined): [kind: string, formulas: string] {
  const formulas = (...list: (string | number)[]) =>
    list.map((text, at) => `<formula${at + 1}>${xmlText(String(text))}</formula${at + 1}>`).join('');
  switch (rule.kind) {
    case 'list':
      return list_range ? [' type="list"', formulas(list_range)] : ['', ''];
    case 'date':
      return [' type="date" operator="greaterThanOrEqual"', formulas(1)];
    case 'number':
      return [' type="decimal" operator="between"', formulas(rule.minimum, rule.maximum)];
    case 'length':
      return [' type="textLength" operator="lessThanOrEqual"', formulas(rule.maximum)];
  }
}
