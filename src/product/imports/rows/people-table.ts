/** The file as a table of people: which column is which field, and which rows are people. */

import type { components } from '../../../../generated/api.ts';
import { say, type Text } from '../../../contract/languages/text.ts';
import { listFromStored } from '../../../contract/stored.ts';
import { SheetError } from '../../../platform/sheets/error.ts';
import { mostRowsAbove } from '../../../platform/sheets/header-row.ts';
import { columnLetter } from '../../../platform/sheets/letters.ts';
import type { OpenTable, SheetReader } from '../../../platform/sheets/reader.ts';
import type { Cell, Row, TableInfo } from '../../../platform/sheets/types.ts';
import { exampleEmail, importColumns } from '../../collaborators/sheet-columns.ts';
import type { ImportRow } from '../state/find-import.ts';
import type { ImportFault } from '../state/row-errors.ts';
import type { ImportWarning } from '../state/warnings.ts';
import { templateSheets } from '../template-words.ts';
import { type DateColumn, readDateColumn } from './date-columns.ts';
import { encodingOf, type FileEncoding, faultOfEncoding, warningsOfEncoding } from './file-encoding.ts';
import { IndexColumn } from './index-column.ts';
import { headerOf, headlessFault, isConfirmed, shownHeader, TableColumns, type TableField } from './table-columns.ts';

const mostRows = 100_000;
/** As a spreadsheet program has them; a csv file could have more, most of them empty. */
const lastRow = 1_048_576;
/** The row below the headers may have units, and belongs to them then. */
const headRows = mostRowsAbove + 2;

export interface PeopleTable {
  encoding: FileEncoding;
  /** Of a csv file, between its columns. */
  delimiter: string | undefined;
  /** As a spreadsheet shows it; null when no row has headers. */
  header_row: number | null;
  /** As they stand in the file. */
  header: readonly Cell[];
  /** How each column is understood. */
  columns: components['schemas']['ImportColumn'][];
  /** The field of each column, counted from 0; undefined for one that is left out. */
  keys: readonly (TableField | undefined)[];
  /** The column of each field. */
  places: ReadonlyMap<TableField, number>;
  /** A column that only numbers the rows; undefined for none. */
  indexColumn: number | undefined;
  /** Of columns in which some dates could mean one thing or another, what is to be said about these. */
  unclear: ReadonlyMap<number, Text>;
  /** What somebody should look at. */
  warnings: ImportWarning[];
  /** What is wrong with the columns: with any of it no row is looked at. */
  faults: ImportFault[];
  /** The rows with people. */
  rows: Row[];
  has_salaries: boolean;
}

type Settings = Pick<
  ImportRow,
  | 'mode'
  | 'match_by'
  | 'empty_cells'
  | 'sheet'
  | 'encoding'
  | 'encoding_guess'
  | 'mapping'
  | 'date_order'
  | 'may_write_salary'
  | 'dry_run'
  | 'columns'
  | 'committed_at'
>;

/**
 * Reads a whole file; its cells stay in memory.
 * @throws SheetError when it is no table that can be read
 */
export async function readPeople(
  sheets: SheetReader,
  bytes: Uint8Array,
  settings: Settings,
  signal: AbortSignal,
): Promise<PeopleTable> {
  await using file = await openSheet(sheets, bytes, settings, signal);
  const head: Row[] = [];
  let reading: Reading | undefined;
  for await (const group of file.groups) {
    for (const row of group) {
      if (reading) reading.add(row);
      else if (head.push(row) === headRows) {
        reading = begin(head, settings, file.info);
        if (!reading) return headless(head, settings, file.info);
      }
    }
  }
  if (head.length === 0) throw new SheetError('empty_file', say`The file has no rows.`);
  reading ??= begin(head, settings, file.info);
  return (await reading?.table()) ?? headless(head, settings, file.info);
}

/** The sheet that is named; without a name the usual one, or the first. */
async function openSheet(
  sheets: SheetReader,
  bytes: Uint8Array,
  { sheet, encoding }: Settings,
  signal: AbortSignal,
): Promise<OpenTable> {
  const said = { ...(sheet !== null && { sheet }), ...(encoding !== null && { encoding }) };
  const file = await sheets.open(bytes, { ...said, signal });
  const { info } = file;
  const usual = info.sheets?.find((name) => templateSheets.has(name));
  if (sheet !== null || usual === undefined || info.sheet === usual) return file;
  file.close();
  return sheets.open(bytes, { sheet: usual, signal });
}

/** @returns undefined when none of the rows has headers */
function begin(head: readonly Row[], settings: Settings, info: TableInfo): Reading | undefined {
  const header = headerOf(head, settings);
  if (!header) return undefined;
  const rowsAbove = head.filter(({ row }) => row < header.rows[0]!).length;
  const reading = new Reading(new TableColumns(header, settings), settings, info, rowsAbove);
  for (const row of head.slice(header.next)) reading.add(row);
  return reading;
}

function headless(head: readonly Row[], settings: Settings, info: TableInfo): PeopleTable {
  const encoding = encodingOf(info, settings);
  const nothing = { columns: [], keys: [], places: new Map(), rows: [], has_salaries: false };
  const understood = { header_row: null, header: [], indexColumn: undefined, unclear: new Map(), warnings: [] };
  const { delimiter } = info;
  return { ...nothing, ...understood, encoding, delimiter, faults: [headlessFault(head, settings)] };
}

class Reading {
  readonly #columns: TableColumns;
  readonly #settings: Settings;
  readonly #info: TableInfo;
  readonly #rowsAbove: number;
  /** Columns with values and without a header. */
  readonly #nameless = new Set<number>();
  readonly #index = new IndexColumn();
  readonly #rows: Row[] = [];
  #hasSalaries = false;

  /** @param rowsAbove rows with values that stand above the headers */
  constructor(columns: TableColumns, settings: Settings, info: TableInfo, rowsAbove: number) {
    this.#columns = columns;
    this.#settings = settings;
    this.#info = info;
    this.#rowsAbove = rowsAbove;
  }

  /** @throws SheetError when there are too many */
  add(row: Row): void {
    const { cells, problems = [] } = row;
    const { header, keys, places } = this.#columns;
    for (let column = 0; column < cells.length; column++) {
      if (cells[column] !== null && (header.cells[column] ?? null) === null) this.#nameless.add(column);
    }
    this.#index.add(cells[0] ?? null);
    const isUsed = (column: number) => keys[column] !== undefined;
    const isEmpty =
      !cells.some((cell, column) => cell !== null && isUsed(column)) && !problems.some(({ column }) => isUsed(column));
    if (isEmpty || this.#isExample(cells)) return;
    if (this.#rows.length === mostRows || row.row > lastRow) {
      throw new SheetError('too_many_rows', say`The file has more than ${mostRows} rows.`, { limit: mostRows });
    }
    const salary = places.get('salary');
    if (salary !== undefined) {
      this.#hasSalaries ||= (cells[salary] ?? null) !== null || problems.some(({ column }) => column === salary);
    }
    this.#rows.push(row);
  }

  #isExample(cells: readonly Cell[]): boolean {
    const email = cells[this.#columns.places.get('email') ?? -1];
    return typeof email === 'string' && email.trim().toLowerCase() === exampleEmail;
  }

  async table(): Promise<PeopleTable> {
    const { header, keys, places } = this.#columns;
    const indexColumn = this.#nameless.has(0) && this.#index.numbersRows ? 0 : undefined;
    const dates = await this.#dates();
    const encoding = encodingOf(this.#info, this.#settings);
    return {
      encoding,
      delimiter: this.#info.delimiter,
      ...{ header_row: header.row, header: header.cells, keys, places, indexColumn },
      columns: this.#shown(dates),
      unclear: new Map([...dates].flatMap(([column, { unclear }]) => (unclear ? [[column, unclear]] : []))),
      warnings: [...warningsOfEncoding(encoding), ...this.#warnings(indexColumn, dates)],
      faults: this.#faults(encoding, indexColumn, dates),
      rows: this.#rows,
      has_salaries: this.#hasSalaries || this.#clearsSalaries(),
    };
  }

  /** By column. Dates that were committed are read as the dry run has said. */
  async #dates(): Promise<Map<number, DateColumn>> {
    const { from1904 = false } = this.#info;
    const { date_order: dateOrder, columns, committed_at: committedAt } = this.#settings;
    const said = committedAt === null ? [] : listFromStored('ImportColumn', columns);
    const confirmed = isConfirmed(this.#settings);
    const found = new Map<number, DateColumn>();
    for (const { key, kind } of importColumns) {
      const column = this.#columns.places.get(key);
      if (kind !== 'date' || column === undefined) continue;
      const before = said.find((each) => each.column === columnLetter(column))?.date_order;
      const order = (dateOrder ?? before ?? undefined) as DateColumn['order'] | undefined;
      found.set(
        column,
        await readDateColumn(this.#rows, column, { order: order ?? undefined, isConfirmed: confirmed, from1904 }),
      );
    }
    return found;
  }

  /** Empty cells take values away as well. */
  #clearsSalaries(): boolean {
    const { mode, empty_cells: emptyCells } = this.#settings;
    return mode === 'upsert' && emptyCells === 'clear' && this.#columns.places.has('salary');
  }

  #shown(dates: ReadonlyMap<number, DateColumn>): PeopleTable['columns'] {
    return this.#columns.header.cells.flatMap((cell, column) => {
      if (cell === null) return [];
      const field = this.#columns.keys[column] ?? null;
      const guessed = this.#columns.isGuessed(column);
      const dateOrder = dates.get(column)?.order ?? null;
      return [{ column: columnLetter(column), header: shownHeader(cell), field, guessed, date_order: dateOrder }];
    });
  }

  #warnings(indexColumn: number | undefined, dates: ReadonlyMap<number, DateColumn>): ImportWarning[] {
    const { row, units } = this.#columns.header;
    const warnings: ImportWarning[] = [];
    const leftOut = (message: Text) => warnings.push({ code: 'rows_left_out', message, column: null });
    if (this.#rowsAbove > 0) leftOut(say`The headers are in row ${row}. The rows above them are left out.`);
    if (units !== undefined) leftOut(say`Row ${units} has units of the headers above it, and is left out.`);
    if (indexColumn !== undefined) {
      const message = say`The column has no header and only numbers the rows, so it is left out.`;
      warnings.push({ code: 'column_left_out', message, column: columnLetter(indexColumn) });
    }
    for (const [column, date] of dates) {
      warnings.push(...date.warnings.map((warning) => ({ ...warning, column: columnLetter(column) })));
    }
    return warnings;
  }

  #faults(
    encoding: FileEncoding,
    indexColumn: number | undefined,
    dates: ReadonlyMap<number, DateColumn>,
  ): ImportFault[] {
    const faults = this.#columns.faults();
    if (!isConfirmed(this.#settings)) faults.push(...faultOfEncoding(encoding, this.#columns.header.row));
    for (const column of this.#nameless) {
      if (column === indexColumn) continue;
      const message = say`The column has values, but no header.`;
      faults.push({ ...this.#columns.place(column), field: null, code: 'required', message });
    }
    for (const [column, { fault }] of dates) {
      const field = this.#columns.keys[column]!;
      if (fault) faults.push({ ...this.#columns.place(column), field, code: 'unclear_dates', message: fault });
    }
    const salary = this.#columns.places.get('salary');
    if (salary !== undefined && !this.#settings.may_write_salary && (this.#hasSalaries || this.#clearsSalaries())) {
      const message = say`The token needs the scope salary:write to write salaries.`;
      faults.push({ ...this.#columns.place(salary), field: 'salary', code: 'field_not_allowed', message });
    }
    return faults.toSorted(byColumn);
  }
}

/** Those without a column come last. */
export function byColumn(a: ImportFault, b: ImportFault): number {
  if (a.row !== b.row) return a.row - b.row;
  if (a.column === null || b.column === null) return Number(a.column === null) - Number(b.column === null);
  return a.column.length - b.column.length || (a.column < b.column ? -1 : Number(a.column > b.column));
}
