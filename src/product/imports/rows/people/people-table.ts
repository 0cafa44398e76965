/** The file as a table of people: which column is which field, and which rows are people. */

import type { components } from '../../../../../generated/api.ts';
import type { Text } from '../../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { AskedFault } from '../../state/questions.ts';
import type { ImportFault } from '../../state/row-errors.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import type { FileEncoding } from '../columns/file-encoding.ts';
import type { TableField } from '../columns/import-fields.ts';

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
