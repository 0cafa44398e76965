/** A file as a table of people: columns mapped to fields, and the rows that are people. */

import type { components } from '../../../../../generated/api.ts';
import type { Text } from '../../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { AnswerableError } from '../../state/questions.ts';
import type { RowError } from '../../state/row-errors.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import type { FileEncoding } from '../columns/file-encoding.ts';
import type { TableField } from '../columns/import-fields.ts';

export interface PeopleTable {
  encoding: FileEncoding;
  delimiter: string | undefined;
  /** One-based, as in a spreadsheet; null without headers. */
  header_row: number | null;
  header: readonly Cell[];
  columns: components['schemas']['ImportColumn'][];
  /** The tool that seems to have written the file. */
  layout: string | null;
  /** The field of each column, zero-based; undefined for ignored ones. */
  keys: readonly (TableField | undefined)[];
  /** The column of each field. A joined name comes after the file's columns, and is displayed as its first part. */
  fieldColumns: ReadonlyMap<TableField, number>;
  nameParts: readonly number[];
  /** A column that only numbers the rows, if any. */
  indexColumn: number | undefined;
  /** Messages for columns with some ambiguous dates. */
  unclear: ReadonlyMap<number, Text>;
  warnings: ImportWarning[];
  /** Errors of the columns; if there are any, no row is checked. Those with a question only need an answer. */
  errors: AnswerableError[];
  rows: Row[];
  has_salaries: boolean;
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
  fields: CompanyFields;
};

/** The column as a spreadsheet displays it; a joined name as its first part. */
export function displayedColumn({ header, nameParts }: PeopleTable, column: number): number {
  return column >= header.length ? (nameParts[0] ?? column) : column;
}

export function byColumn(a: RowError, b: RowError): number {
  if (a.row !== b.row) return a.row - b.row;
  if (a.column === null || b.column === null) return Number(a.column === null) - Number(b.column === null);
  return a.column.length - b.column.length || (a.column < b.column ? -1 : Number(a.column > b.column));
}
