/** The file as a table of people: which column is which field, and which rows are people. */

import type { components } from '../../../../generated/api.ts';
import { say, type Text } from '../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import { SheetError } from '../../../platform/sheets/error.ts';
import { mostRowsAbove } from '../../../platform/sheets/header-row.ts';
import type { SheetReader } from '../../../platform/sheets/reader.ts';
import type { Cell, Row, TableInfo } from '../../../platform/sheets/types.ts';
import { exampleEmail } from '../../collaborators/sheet-columns.ts';
import type { ImportRow } from '../state/find-import.ts';
import type { ImportFault } from '../state/row-errors.ts';
import type { ImportWarning } from '../state/warnings.ts';
import { encodingOf, type FileEncoding } from './file-encoding.ts';
import type { TableField } from './import-fields.ts';
import { IndexColumn } from './index-column.ts';
import { openPeopleSheet, type SheetChoice } from './people-sheet.ts';
import type { AskedFault } from './questions.ts';
import { headerOf, headlessFault, TableColumns } from './table-columns.ts';
import { understand } from './understand.ts';

const mostRows = 100_000;
/** As a spreadsheet program has them; a csv file could have more, most of them empty. */
const lastRow = 1_048_576;
/** The row below the headers may have units, and belongs to them then. */
export const headRows = mostRowsAbove + 2;

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
  /** The tool whose file it looks like. */
  layout: string | null;
  /** The field of each column, counted from 0; undefined for one that is left out. */
  keys: readonly (TableField | undefined)[];
  /** The column of each field. That of a joined name is behind those of the file, and is shown as the first of its parts. */
  places: ReadonlyMap<TableField, number>;
  nameParts: readonly number[];
  /** A column that only numbers the rows; undefined for none. */
  indexColumn: number | undefined;
  /** Of columns in which some dates could mean one thing or another, what is to be said about these. */
  unclear: ReadonlyMap<number, Text>;
  /** What somebody should look at. */
  warnings: ImportWarning[];
  /** What is wrong with the columns: with any of it no row is looked at. Those with a question only lack an answer. */
  faults: AskedFault[];
  /** The rows with people. */
  rows: Row[];
  has_salaries: boolean;
  /** The company's own, as they are when rows are looked at. */
  fields: CompanyFields;
}

export type TableSettings = Pick<
  ImportRow,
  | 'mode'
  | 'match_by'
  | 'empty_cells'
  | 'sheet'
  | 'encoding'
  | 'encoding_guess'
  | 'mapping'
  | 'date_order'
  | 'decimal'
  | 'name_order'
  | 'garbled_text'
  | 'unknown_columns'
  | 'may_write_salary'
  | 'dry_run'
  | 'columns'
  | 'committed_at'
> & {
  /** The company's own. */
  fields: CompanyFields;
};

/**
 * Reads a whole file; its cells stay in memory.
 * @throws SheetError when it is no table that can be read
 */
export async function readPeople(
  sheets: SheetReader,
  bytes: Uint8Array,
  settings: TableSettings,
  signal: AbortSignal,
): Promise<PeopleTable> {
  const choice = await openPeopleSheet(sheets, bytes, settings, signal);
  await using file = choice.file;
  const head: Row[] = [];
  let reading: Reading | undefined;
  for await (const group of file.groups) {
    for (const row of group) {
      if (reading) reading.add(row);
      else if (head.push(row) === headRows) {
        reading = begin(head, settings, choice);
        if (!reading) return headless(head, settings, file.info);
      }
    }
  }
  if (head.length === 0) throw new SheetError('empty_file', say`The file has no rows.`);
  reading ??= begin(head, settings, choice);
  return (await reading?.table()) ?? headless(head, settings, file.info);
}

/** @returns undefined when none of the rows has headers */
function begin(head: readonly Row[], settings: TableSettings, choice: SheetChoice): Reading | undefined {
  const header = headerOf(head, settings);
  if (!header) return undefined;
  const rowsAbove = head.filter(({ row }) => row < header.rows[0]!).length;
  const reading = new Reading(new TableColumns(header, settings), settings, choice, rowsAbove);
  for (const row of head.slice(header.next)) reading.add(row);
  return reading;
}

function headless(head: readonly Row[], settings: TableSettings, info: TableInfo): PeopleTable {
  const encoding = encodingOf(info, settings);
  const nothing = {
    columns: [],
    layout: null,
    keys: [],
    places: new Map(),
    nameParts: [],
    rows: [],
    has_salaries: false,
  };
  const understood = { header_row: null, header: [], indexColumn: undefined, unclear: new Map(), warnings: [] };
  const { delimiter } = info;
  const { fields } = settings;
  return { ...nothing, ...understood, fields, encoding, delimiter, faults: [headlessFault(head, settings)] };
}

/** What was found while the rows were read, one after the other. */
export interface Found {
  columns: TableColumns;
  choice: SheetChoice;
  rows: Row[];
  /** Rows with values that stand above the headers. */
  rowsAbove: number;
  /** Columns with values and without a header. */
  nameless: ReadonlySet<number>;
  /** The column that only numbers the rows. */
  indexColumn: number | undefined;
  hasSalaries: boolean;
}

class Reading {
  readonly #columns: TableColumns;
  readonly #settings: TableSettings;
  readonly #choice: SheetChoice;
  readonly #rowsAbove: number;
  readonly #nameless = new Set<number>();
  readonly #index = new IndexColumn();
  readonly #rows: Row[] = [];
  #hasSalaries = false;

  constructor(columns: TableColumns, settings: TableSettings, choice: SheetChoice, rowsAbove: number) {
    this.#columns = columns;
    this.#settings = settings;
    this.#choice = choice;
    this.#rowsAbove = rowsAbove;
  }

  /** @throws SheetError when there are too many */
  add(row: Row): void {
    const { cells, problems = [] } = row;
    const { header, keys, places, layout } = this.#columns;
    if (layout?.notes?.includes(String(cells[0] ?? ''))) return;
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

  table(): Promise<PeopleTable> {
    const indexColumn = this.#nameless.has(0) && this.#index.numbersRows ? 0 : undefined;
    const found: Found = {
      ...{ columns: this.#columns, choice: this.#choice, rows: this.#rows, rowsAbove: this.#rowsAbove },
      ...{ nameless: this.#nameless, indexColumn, hasSalaries: this.#hasSalaries },
    };
    return understand(found, this.#settings);
  }
}

/** The column of a table as a spreadsheet shows it; that of a joined name is the first of its parts. */
export function shownColumn({ header, nameParts }: PeopleTable, column: number): number {
  return column >= header.length ? (nameParts[0] ?? column) : column;
}

/** Those without a column come last. */
export function byColumn(a: ImportFault, b: ImportFault): number {
  if (a.row !== b.row) return a.row - b.row;
  if (a.column === null || b.column === null) return Number(a.column === null) - Number(b.column === null);
  return a.column.length - b.column.length || (a.column < b.column ? -1 : Number(a.column > b.column));
}
