/** Converts a row's cells to API fields, and validates them by the contract. */

import { type Text, t } from '../../../../contract/languages/text.ts';
import { emailForm } from '../../../../contract/texts/email.ts';
import { refusedCharacter } from '../../../../contract/texts/one-line.ts';
import { schemaCheck } from '../../../../contract/validation.ts';
import { fieldValue } from '../../../../platform/sheets/cells/cell-values.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, CellProblem, Row } from '../../../../platform/sheets/model/types.ts';
import type { CollaboratorRow } from '../../../access/records.ts';
import { type MatchField, type MatchKey, matchFields } from '../../../collaborators/fields/match.ts';
import type { UniqueField } from '../../../collaborators/fields/unique-fields.ts';
import type { ImportRow } from '../../state/find-import.ts';
import { type ImportErrorCode, type RowError, valueExcerpt } from '../../state/row-errors.ts';
import { type CustomValues, customValues, isCustomField } from '../columns/custom-field-columns.ts';
import { dateErrorOf } from '../columns/date-columns.ts';
import { isLeaverStatus } from '../columns/employment-status.ts';
import { kindOf, managerFields, type TableField } from '../columns/import-fields.ts';
import { displayedColumn, type PeopleTable } from './people-table.ts';

const addresses = new Set<TableField>(['email', 'manager_email']);

export interface RowFields {
  /** API fields without the manager. A missing field isn't specified. */
  fields: Record<string, unknown>;
  /** Null for none; undefined if not specified. */
  manager: ManagerReference | null | undefined;
  has_left: boolean;
  own_errors: CustomValues['errors'];
}

/** How a row identifies a manager. */
export interface ManagerReference {
  field: (typeof managerFields)[number];
  value: string;
}

/** The contract's value of a column; undefined if the file doesn't have it. */
function cellOf(table: PeopleTable, { cells }: Row, key: TableField): Cell | undefined {
  const column = table.fieldColumns.get(key);
  if (column === undefined) return undefined;
  const value = fieldValue(cells[column] ?? null, kindOf(key, table.fields));
  return typeof value === 'string' && addresses.has(key) ? emailForm(value) : value;
}

function emailOf(table: PeopleTable, row: Row): string | undefined {
  const email = cellOf(table, row, 'email');
  return typeof email === 'string' && isAddress(email) ? email.toLowerCase() : undefined;
}

export function nameOf(table: PeopleTable, row: Row): string | undefined {
  const name = cellOf(table, row, 'name');
  return typeof name === 'string' ? name : undefined;
}

/** @returns null for an empty cell; undefined if the file has no manager column */
export function managerOf(table: PeopleTable, row: Row): ManagerReference | null | undefined {
  const field = managerFields.find((each) => table.fieldColumns.has(each));
  if (field === undefined) return undefined;
  const value = cellOf(table, row, field);
  return value === null || value === undefined ? null : { field, value: String(value) };
}

export function uniqueOf(table: PeopleTable, row: Row, field: UniqueField): string | undefined {
  if (field === 'email') return emailOf(table, row);
  const value = cellOf(table, row, field);
  return typeof value === 'string' && !refusedCharacter(value) ? value : undefined;
}

/** By the import's setting, or the first key the row has. @returns undefined if it has no well-formed one */
export function keyOf(
  table: PeopleTable,
  row: Row,
  { mode, match_by: matchBy }: Pick<ImportRow, 'mode' | 'match_by'>,
): MatchKey | undefined {
  const input = mode === 'create' ? 'email' : (matchBy as MatchField | null);
  const has = (field: MatchField) => (cellOf(table, row, field) ?? null) !== null;
  const field = input ?? matchFields.find(has);
  if (!field) return undefined;
  if (field !== 'id') {
    const value = uniqueOf(table, row, field);
    return value === undefined ? undefined : { field, value };
  }
  const id = cellOf(table, row, 'id');
  return typeof id === 'string' ? { field, value: id.toLowerCase() } : undefined;
}

/** Whether a lookup could succeed. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\0@]+@[^\s\0@]+$/.test(text);
}

/** @param clears whether an empty cell clears the value, instead of leaving it */
export function fieldsOf(table: PeopleTable, row: Row, clears: boolean, before?: CollaboratorRow): RowFields {
  const { values, errors: fieldErrors } = customValues(table, row.cells, before, clears);
  const manager = managerOf(table, row);
  const status = cellOf(table, row, 'status');
  const input: RowFields = {
    fields: {},
    manager: manager === null && !clears ? undefined : manager,
    has_left: typeof status === 'string' && isLeaverStatus(status),
    own_errors: fieldErrors,
  };
  if (values) input.fields.custom_fields = values;
  const failed = new Set(row.problems?.map(({ column }) => column));
  for (const [key, column] of table.fieldColumns) {
    if (isCustomField(key)) continue;
    const value = cellOf(table, row, key)!;
    if (isMappedElsewhere(key) || failed.has(column) || (value === null && !clears)) continue;
    if (kindOf(key, table.fields) === 'date' && value !== null && dateErrorOf(value)) continue; // reported separately
    if (key.startsWith(contactPrefix)) contactOf(input)[key.slice(contactPrefix.length)] = value;
    else input.fields[key] = value;
  }
  return input;
}

function isMappedElsewhere(key: TableField): boolean {
  return key === 'id' || key === 'status' || managerFields.some((field) => field === key);
}

const contactPrefix = 'emergency_contact.';

function contactOf({ fields }: RowFields): Record<string, unknown> {
  fields.emergency_contact ??= {};
  return fields.emergency_contact as Record<string, unknown>;
}

const checkCreate = schemaCheck('CollaboratorCreate');
const checkUpdate = schemaCheck('CollaboratorUpdate');

/** Errors by the contract, and of unusable cells. */
export function errorsOfFields(table: PeopleTable, row: Row, input: RowFields, exists: boolean): RowError[] {
  const fieldErrors: RowError[] = [];
  const failed = new Set<string>();
  for (const problem of row.problems ?? []) {
    const field = table.keys[problem.column];
    if (field === undefined || field === 'status') continue; // only marks people who have left
    failed.add(field);
    const location = { row: row.row, column: columnLetter(problem.column), field, value: valueExcerpt(problem.text) };
    fieldErrors.push({ ...location, ...problemOf(problem) });
  }
  for (const [field, column] of table.fieldColumns) {
    if (kindOf(field, table.fields) !== 'date' || failed.has(field)) continue;
    const cell = cellOf(table, row, field) ?? null;
    const error = cell === null ? undefined : dateErrorOf(cell, table.unclear.get(column));
    if (!error) continue;
    fieldErrors.push(errorOf(table, row, field, error.code, error.message));
    failed.add(field);
  }
  const { fields, manager, own_errors: customErrors } = input;
  for (const [field, { code, message }] of customErrors) {
    if (!failed.has(field)) fieldErrors.push(errorOf(table, row, field, code, message));
  }
  const found = (exists ? checkUpdate : checkCreate)(
    manager?.field === 'manager_id' ? { ...fields, manager_id: manager.value } : fields,
  );
  for (const [field, errors] of Object.entries(found ?? {})) {
    if (failed.has(field)) continue; // already reported for an unusable cell
    for (const { code, message } of errors) fieldErrors.push(errorOf(table, row, field, code, message));
  }
  return fieldErrors;
}

export function errorOf(
  table: PeopleTable,
  { row, cells, problems }: Row,
  field: string,
  code: ImportErrorCode,
  message: Text,
): RowError {
  const column = table.fieldColumns.get(field as TableField);
  if (column === undefined) return { row, column: null, field, value: null, code, message };
  const value = valueExcerpt(problems?.find((problem) => problem.column === column)?.text ?? cells[column]);
  return { row, column: columnLetter(displayedColumn(table, column)), field, value, code, message };
}

function problemOf({ code, text }: CellProblem): Pick<RowError, 'code' | 'message'> {
  switch (code) {
    case 'formula':
      return {
        code: 'formula',
        message: t`The file does not have the result of this formula. Save it again with a spreadsheet program, or paste the values.`,
      };
    case 'cell_error':
      return { code: 'invalid_format', message: t`The cell shows the error ${text.slice(0, 40)}.` };
    case 'date_out_of_range':
      return {
        code: 'out_of_range',
        message: t`Is not a date that a spreadsheet can have: the first is 1900-01-01.`,
      };
    case 'digits_lost':
      return {
        code: 'invalid_format',
        message: t`The spreadsheet has shortened this number, and its last digits are lost. Format the column as text and enter it again.`,
      };
    case 'letters_lost':
      return {
        code: 'invalid_format',
        message: t`Letters were lost when this file was saved. Save it again from its source, in UTF-8.`,
      };
    case 'not_finite':
      return { code: 'invalid_format', message: t`Is not a number.` };
  }
}
