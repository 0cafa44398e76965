/** The file as a table of people: which column is which field, and which rows are people. */
import type { components } from '../../../../generated/api.ts';
import { SheetError } from '../../../platform/sheets/error.ts';
import { type Field, type HeaderMatch, matchHeaders } from '../../../platform/sheets/headers.ts';
import { columnLetter } from '../../../platform/sheets/letters.ts';
import type { OpenTable, SheetReader } from '../../../platform/sheets/reader.ts';
import type { Cell, Row, TableInfo } from '../../../platform/sheets/types.ts';
import { columnNames, readOnlyNames } from '../../collaborators/column-names.ts';
import { type MatchField, matchFields } from '../../collaborators/match.ts';
import { example_email, type ImportField, importColumns, readOnlyColumns } from '../../collaborators/sheet-columns.ts';
import type { ImportRow } from '../state/find-import.ts';
import type { ImportFault } from '../state/row-errors.ts';
import { encodingOf, type FileEncoding, faultOfEncoding } from './file-encoding.ts';

const most_rows = 100_000;
/** As a spreadsheet program has them; a csv file could have more, most of them empty. */
const last_row = 1_048_576;
const longest_header = 200;
/** Read by default, when the workbook has it. */
const usual_sheet = 'Collaborators';

/** What a column can be: a field that is imported, or the id of who is changed. */
export type TableField = ImportField | 'id';

export interface PeopleTable {
  encoding: FileEncoding;
  /** As they stand in the file. */
  header: readonly Cell[];
  /** How each column is understood. */
  columns: components['schemas']['ImportColumn'][];
  /** The field of each column, counted from 0; undefined for one that is left out. */
  keys: readonly (TableField | undefined)[];
  /** The column of each field. */
  places: ReadonlyMap<TableField, number>;
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
  | 'may_write_salary'
  | 'dry_run'
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
  let reading: Reading | undefined;
  for await (const group of file.groups) {
    for (const row of group) {
      if (reading) reading.add(row);
      else reading = new Reading(row, settings, file.info);
    }
  }
  if (!reading) throw new SheetError('empty_file', 'The file has no rows.');
  return reading.table();
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
  if (sheet !== null || info.sheet === usual_sheet || !info.sheets?.includes(usual_sheet)) return file;
  file.close();
  return sheets.open(bytes, { sheet: usual_sheet, signal });
}

class Reading {
  readonly #header: Row;
  readonly #settings: Settings;
  readonly #encoding: FileEncoding;
  readonly #match: HeaderMatch;
  readonly #keys: (TableField | undefined)[];
  readonly #places: ReadonlyMap<TableField, number>;
  /** Columns with values and without a header. */
  readonly #nameless = new Set<number>();
  readonly #rows: Row[] = [];
  #has_salaries = false;

  constructor(header: Row, settings: Settings, info: TableInfo) {
    this.#header = header;
    this.#settings = settings;
    this.#encoding = encodingOf(info, settings);
    const { mode, match_by, mapping } = settings;
    const fields = mode === 'upsert' ? forExisting : all_fields;
    const names = mapping as Record<string, TableField | null>;
    this.#match = matchHeaders(header.cells, fields, names, isConfirmed(settings));
    const is_matched = mode === 'upsert' && (match_by === null || match_by === 'id');
    const has_manager_email = this.#match.columns.has('manager_email');
    this.#keys = this.#match.keys.map((key) => {
      if (key === 'manager_id' && has_manager_email) return undefined; // ids of another company would make rows fail
      return isImported(key) || (key === 'id' && is_matched) ? key : undefined;
    });
    this.#places = new Map(this.#keys.flatMap((key, column) => (key === undefined ? [] : [[key, column]])));
  }

  /** @throws SheetError when there are too many */
  add(row: Row): void {
    const { cells, problems = [] } = row;
    for (let column = 0; column < cells.length; column++) {
      if (cells[column] !== null && (this.#header.cells[column] ?? null) === null) this.#nameless.add(column);
    }
    const isUsed = (column: number) => this.#keys[column] !== undefined;
    const is_empty =
      !cells.some((cell, column) => cell !== null && isUsed(column)) && !problems.some(({ column }) => isUsed(column));
    if (is_empty || this.#isExample(cells)) return;
    if (this.#rows.length === most_rows || row.row > last_row) {
      throw new SheetError('too_many_rows', `The file has more than ${most_rows} rows.`, { limit: most_rows });
    }
    const salary = this.#places.get('salary');
    if (salary !== undefined) {
      this.#has_salaries ||= (cells[salary] ?? null) !== null || problems.some(({ column }) => column === salary);
    }
    this.#rows.push(row);
  }

  #isExample(cells: readonly Cell[]): boolean {
    const email = cells[this.#places.get('email') ?? -1];
    return typeof email === 'string' && email.trim().toLowerCase() === example_email;
  }

  table(): PeopleTable {
    return {
      encoding: this.#encoding,
      header: this.#header.cells,
      columns: this.#columns(),
      keys: this.#keys,
      places: this.#places,
      faults: this.#faults(),
      rows: this.#rows,
      has_salaries: this.#has_salaries || this.#clearsSalaries(),
    };
  }

  /** Empty cells take values away as well. */
  #clearsSalaries(): boolean {
    const { mode, empty_cells } = this.#settings;
    return mode === 'upsert' && empty_cells === 'clear' && this.#places.has('salary');
  }

  /** What people are found by, when there is no column for it. */
  #missingKey(): MatchField[] {
    const { mode, match_by } = this.#settings;
    if (mode !== 'upsert') return [];
    const wanted = match_by === null ? matchFields : [match_by as MatchField];
    return wanted.some((field) => this.#places.has(field)) ? [] : [wanted.at(-1)!];
  }

  #columns(): PeopleTable['columns'] {
    return this.#header.cells.flatMap((cell, column) => {
      if (cell === null) return [];
      const header = shown(String(cell), longest_header);
      const field = this.#keys[column] ?? null;
      return [
        { column: columnLetter(column), header, field, guessed: field !== null && this.#match.guessed.has(column) },
      ];
    });
  }

  #faults(): ImportFault[] {
    const { unknown, doubled, absent } = this.#match;
    const missing = [...this.#match.missing, ...this.#missingKey()];
    const { row } = this.#header;
    const at = (column: number) => ({ row, column: columnLetter(column) });
    const faults: ImportFault[] = [
      ...doubled.map(({ column, key, first }): ImportFault => {
        const message = `Column ${columnLetter(first)} is ${key} already.`;
        return { ...at(column), field: isImported(key) ? key : null, code: 'duplicate', message };
      }),
      ...unknown.map(({ column, header }): ImportFault => {
        const name = `“${shown(header, longest_header)}”`;
        const guess = this.#match.guessed.get(column);
        const message = guess
          ? `${name} may be ${guess}. Confirm it: commit a dry run, or name the field with the mapping.`
          : `${name} is not a field. Name its field with the mapping, or ignore the column there.`;
        return { ...at(column), field: null, code: 'field_not_allowed', message };
      }),
      ...[...this.#nameless].map((column): ImportFault => {
        return { ...at(column), field: null, code: 'required', message: 'The column has values, but no header.' };
      }),
      ...missing.map((key): ImportFault => {
        return { row, column: null, field: key, code: 'required', message: `There is no column for ${key}.` };
      }),
      ...absent.map((header): ImportFault => {
        const message = `The mapping names the header “${shown(header, longest_header)}”, which the file does not have.`;
        return { row, column: null, field: null, code: 'not_found', message };
      }),
    ];
    if (!isConfirmed(this.#settings)) faults.push(...faultOfEncoding(this.#encoding, row));
    const salary = this.#places.get('salary');
    if (salary !== undefined && !this.#settings.may_write_salary && (this.#has_salaries || this.#clearsSalaries())) {
      const message = 'The token needs the scope salary:write to write salaries.';
      faults.push({ ...at(salary), field: 'salary', code: 'field_not_allowed', message });
    }
    return faults.toSorted(byColumn);
  }
}

/** Who commits a dry run has seen how the file was understood. */
function isConfirmed({ dry_run, committed_at }: Settings): boolean {
  return dry_run || committed_at !== null;
}

const all_fields: Field[] = [
  ...importColumns.map((column) => ({ ...column, aliases: Object.values(columnNames[column.key]).flat() })),
  ...readOnlyColumns.map((column) => ({ ...column, required: false, aliases: readOnlyNames[column.key] })),
  { key: 'errors', label: 'Errors', required: false }, // of a corrected error report
];
/** Of someone who exists only what they are found by is needed. */
const forExisting = all_fields.map((field) => ({ ...field, required: false }));

const imported = new Set<string>(importColumns.map(({ key }) => key));

function isImported(key: string | undefined): key is ImportField {
  return key !== undefined && imported.has(key);
}

/** Those without a column come last. */
export function byColumn(a: ImportFault, b: ImportFault): number {
  if (a.row !== b.row) return a.row - b.row;
  if (a.column === null || b.column === null) return Number(a.column === null) - Number(b.column === null);
  return a.column.length - b.column.length || (a.column < b.column ? -1 : Number(a.column > b.column));
}

/** Fit to be kept and to be shown. */
function shown(text: string, chars: number): string {
  return text.replaceAll('\0', '').slice(0, chars).toWellFormed();
}
