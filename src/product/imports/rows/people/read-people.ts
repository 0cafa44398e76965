/** Finds the header in the first rows of a file, then reads people from those below. */
import { t } from '../../../../contract/languages/text.ts';
import { SheetError } from '../../../../platform/sheets/model/error.ts';
import type { Cell, Row, TableInfo } from '../../../../platform/sheets/model/types.ts';
import type { SheetReader } from '../../../../platform/sheets/reader.ts';
import { exampleEmail } from '../../../collaborators/fields/sheet-columns.ts';
import { encodingOf } from '../columns/file-encoding.ts';
import { headlessError } from '../columns/headless-error.ts';
import { IndexColumn } from '../columns/index-column.ts';
import { headerOf, TableColumns } from '../columns/table-columns.ts';
import { type Found, interpret } from './interpret.ts';
import { headRows, openPeopleSheet, type SheetChoice } from './people-sheet.ts';
import type { PeopleTable, TableSettings } from './people-table.ts';

const maxRows = 100_000;
/** The limit of spreadsheet programs; a CSV file could have more, mostly empty rows. */
const lastRow = 1_048_576;

/** Reads the whole file into memory. @throws SheetError if it isn't a readable table */
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
        reading = startReading(head, settings, choice);
        if (!reading) return headless(head, settings, file.info);
      }
    }
  }
  if (head.length === 0) throw new SheetError('empty_file', t`The file has no rows.`);
  reading ??= startReading(head, settings, choice);
  return (await reading?.table()) ?? headless(head, settings, file.info);
}

function startReading(head: readonly Row[], settings: TableSettings, choice: SheetChoice): Reading | undefined {
  const header = headerOf(head, settings);
  if (!header) return undefined;
  const rowsAbove = head.filter(({ row }) => row < header.rows[0]!).length;
  const reading = new Reading(new TableColumns(header, settings), settings, choice, rowsAbove);
  for (const row of head.slice(header.next)) reading.add(row);
  return reading;
}

function headless(head: readonly Row[], settings: TableSettings, info: TableInfo): PeopleTable {
  const encoding = encodingOf(info, settings);
  const emptyTable = {
    columns: [],
    layout: null,
    keys: [],
    fieldColumns: new Map(),
    nameParts: [],
    rows: [],
    has_salaries: false,
  };
  const emptyInterpretation = {
    header_row: null,
    header: [],
    indexColumn: undefined,
    unclear: new Map(),
    warnings: [],
  };
  const { delimiter } = info;
  const { fields } = settings;
  return {
    ...emptyTable,
    ...emptyInterpretation,
    fields,
    encoding,
    delimiter,
    errors: [headlessError(head, settings)],
  };
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

  /** @throws SheetError with too many rows */
  add(row: Row): void {
    const { cells, problems = [] } = row;
    const { header, keys, fieldColumns, layout, sensitive } = this.#columns;
    if (layout?.notes?.includes(String(cells[0] ?? ''))) return;
    for (let column = 0; column < cells.length; column++) {
      if (cells[column] !== null && (header.cells[column] ?? null) === null) this.#nameless.add(column);
    }
    this.#index.add(cells[0] ?? null);
    const isUsed = (column: number) => keys[column] !== undefined;
    const isEmpty =
      !cells.some((cell, column) => cell !== null && isUsed(column)) && !problems.some(({ column }) => isUsed(column));
    if (isEmpty || this.#isExample(cells)) return;
    for (const column of sensitive) if (column < cells.length) cells[column] = null;
    if (sensitive.length > 0) row.problems = problems.filter(({ column }) => !sensitive.includes(column));
    if (this.#rows.length === maxRows || row.row > lastRow) {
      throw new SheetError('too_many_rows', t`The file has more than ${maxRows} rows.`, { limit: maxRows });
    }
    const salary = fieldColumns.get('salary');
    if (salary !== undefined) {
      this.#hasSalaries ||= (cells[salary] ?? null) !== null || problems.some(({ column }) => column === salary);
    }
    this.#rows.push(row);
  }

  #isExample(cells: readonly Cell[]): boolean {
    const email = cells[this.#columns.fieldColumns.get('email') ?? -1];
    return typeof email === 'string' && email.trim().toLowerCase() === exampleEmail;
  }

  table(): Promise<PeopleTable> {
    const indexColumn = this.#nameless.has(0) && this.#index.numbersRows ? 0 : undefined;
    const found: Found = {
      ...{ columns: this.#columns, choice: this.#choice, rows: this.#rows, rowsAbove: this.#rowsAbove },
      ...{ nameless: this.#nameless, indexColumn, hasSalaries: this.#hasSalaries },
    };
    return interpret(found, this.#settings);
  }
}
