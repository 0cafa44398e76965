/** Which column of a file is which field, and what is wrong with its headers. */

import { say, sentences } from '../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import { findHeaderRow, type HeaderRow, mostRowsAbove } from '../../../platform/sheets/header-row.ts';
import { type Field, type HeaderMatch, headerMeaning, matchHeaders } from '../../../platform/sheets/headers.ts';
import { columnLetter } from '../../../platform/sheets/letters.ts';
import type { Cell, Row } from '../../../platform/sheets/types.ts';
import { columnNames, readOnlyNames } from '../../collaborators/column-names.ts';
import { type MatchField, matchFields } from '../../collaborators/match.ts';
import { type ImportField, importColumns, readOnlyColumns } from '../../collaborators/sheet-columns.ts';
import type { ImportRow } from '../state/find-import.ts';
import { type ImportFault, shownValue } from '../state/row-errors.ts';
import { isOwn, isWritten, type OwnKey, ownFields } from './own-columns.ts';

const longestHeader = 200;
/** Of what a fault quotes to say what it found. */
const longestQuote = 60;
const mostQuotes = 5;

/** What a column can be: a field that is imported, or the id of who is changed. */
export type TableField = ImportField | OwnKey | 'id';

type ColumnSettings = Pick<ImportRow, 'mode' | 'match_by' | 'mapping' | 'dry_run' | 'committed_at'> & {
  /** The company's own. */
  fields: CompanyFields;
};

/** Who commits a dry run has seen how its columns were understood. */
export function isConfirmed({
  dry_run: dryRun,
  committed_at: committedAt,
}: Pick<ColumnSettings, 'dry_run' | 'committed_at'>): boolean {
  return dryRun || committedAt !== null;
}

/** @returns undefined when none of the rows has headers */
export function headerOf(head: readonly Row[], { mode, mapping, fields }: ColumnSettings): HeaderRow | undefined {
  const said = mapping as Record<string, TableField | null>;
  const header = findHeaderRow(head, headerMeaning(fieldsFor(mode, fields), said));
  if (!header) return undefined;
  const [first, ...others] = header.cells;
  return isNoName(first) && !(String(first) in said) ? { ...header, cells: [null, ...others] } : header;
}

/** What programs call an index that they wrote without a header, when they have read it again and write it once more. */
function isNoName(header: Cell | undefined): boolean {
  return /^unnamed: ?0$/i.test(String(header));
}

/** The columns of a file, by its headers. */
export class TableColumns {
  readonly header: HeaderRow;
  /** The field of each column, counted from 0; undefined for one that is left out. */
  readonly keys: readonly (TableField | undefined)[];
  /** The column of each field. */
  readonly places: ReadonlyMap<TableField, number>;
  readonly #settings: ColumnSettings;
  readonly #match: HeaderMatch;

  constructor(header: HeaderRow, settings: ColumnSettings) {
    this.header = header;
    this.#settings = settings;
    const { mode, match_by: matchBy, mapping, fields } = settings;
    const said = mapping as Record<string, TableField | null>;
    this.#match = matchHeaders(header.cells, fieldsFor(mode, fields), said, isConfirmed(settings));
    const isMatched = mode === 'upsert' && (matchBy === null || matchBy === 'id');
    const hasManagerEmail = this.#match.columns.has('manager_email');
    this.keys = this.#match.keys.map((key) => {
      if (key === 'manager_id' && hasManagerEmail) return undefined; // ids of another company would make rows fail
      if (isOwn(key)) return isWritten(fields, key) ? key : undefined;
      return isImported(key) || (key === 'id' && isMatched) ? key : undefined;
    });
    this.places = new Map(this.keys.flatMap((key, column) => (key === undefined ? [] : [[key, column]])));
  }

  isGuessed(column: number): boolean {
    return this.keys[column] !== undefined && this.#match.guessed.has(column);
  }

  /** Of the headers alone: with any of them no row is looked at. */
  faults(): ImportFault[] {
    const { doubled, absent } = this.#match;
    const { row } = this.header;
    return [
      ...doubled.map(({ column, key, first }): ImportFault => {
        const message = say`Column ${columnLetter(first)} is ${key} already.`;
        return { ...this.place(column), field: isImported(key) ? key : null, code: 'duplicate', message };
      }),
      ...this.#unknown(),
      ...[...this.#match.missing, ...this.#missingKey()].map((key): ImportFault => {
        return { row, column: null, field: key, code: 'required', message: say`There is no column for ${key}.` };
      }),
      ...absent.map((header): ImportFault => {
        const message = say`\`mapping\` names the header “${shown(header, longestHeader)}”, which the file does not have.`;
        return { row, column: null, field: null, code: 'not_found', message };
      }),
    ];
  }

  place(column: number): Pick<ImportFault, 'row' | 'column' | 'value'> {
    return { row: this.header.row, column: columnLetter(column), value: shownValue(this.header.cells[column]) };
  }

  #unknown(): ImportFault[] {
    return this.#match.unknown.map(({ column, header }) => {
      const name = `“${shown(header, longestHeader)}”`;
      const guess = this.#match.guessed.get(column);
      const message = guess
        ? say`${name} may be ${guess}. Confirm it by committing a dry run (\`dry_run\`), or name the field with \`mapping\`.`
        : say`${name} is not a field. Name its field with \`mapping\`, or ignore the column there.`;
      return { ...this.place(column), field: null, code: 'field_not_allowed', message };
    });
  }

  /** What people are found by, when there is no column for it. */
  #missingKey(): MatchField[] {
    const { mode, match_by: matchBy } = this.#settings;
    if (mode !== 'upsert') return [];
    const wanted = matchBy === null ? matchFields : [matchBy as MatchField];
    return wanted.some((field) => this.places.has(field)) ? [] : [wanted.at(-1)!];
  }
}

/** That none of the first rows has headers: once, with what stands there and what should. */
export function headlessFault(head: readonly Row[], { mode }: Pick<ColumnSettings, 'mode'>): ImportFault {
  const [first] = head;
  const cells = first!.cells.filter((cell) => cell !== null).slice(0, mostQuotes);
  const quotes = cells.map((cell) => `“${shown(String(cell), longestQuote)}”`).join(', ');
  const count = Math.min(head.length, mostRowsAbove);
  const { row } = first!;
  const what = quotes || say`no texts`;
  const found =
    count > 1
      ? say`None of the first ${count} rows has the headers: row ${row} has ${what}.`
      : say`The file has no headers: row ${row} has ${what}.`;
  const wanted =
    mode === 'upsert'
      ? say`There must be a row with the names of the fields, such as email and what is to be changed.`
      : say`There must be a row with the names of the fields, such as name, email, position and department.`;
  return { row, column: null, field: null, code: 'required', message: sentences(found, wanted) };
}

const allFields: Field[] = [
  ...importColumns.map((column) => ({ ...column, aliases: Object.values(columnNames[column.key]).flat() })),
  ...readOnlyColumns.map((column) => ({ ...column, required: false, aliases: readOnlyNames[column.key] })),
  { key: 'errors', label: 'Errors', required: false }, // of a corrected error report
];
/** Of someone who exists only what they are found by is needed. */
const forExisting = allFields.map((field) => ({ ...field, required: false }));

/** What everybody has comes last, and so first: a name means the last that has it. */
function fieldsFor(mode: string, fields: CompanyFields): Field[] {
  return [...ownFields(fields), ...(mode === 'upsert' ? forExisting : allFields)];
}

const imported = new Set<string>(importColumns.map(({ key }) => key));

function isImported(key: string | undefined): key is ImportField {
  return key !== undefined && imported.has(key);
}

/** How a header is shown: of one that is very long the beginning. */
export function shownHeader(cell: Cell): string {
  return shown(String(cell), longestHeader);
}

/** Fit to be kept and to be shown. */
function shown(text: string, chars: number): string {
  return text.replaceAll('\0', '').slice(0, chars).toWellFormed();
}
