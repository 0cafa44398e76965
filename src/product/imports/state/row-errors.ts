/** The errors of a file, stored completely, by row. */

import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type StoredText, Text } from '../../../contract/languages/text.ts';
import { keyset } from '../../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';

export type ImportErrorResponse = components['schemas']['ImportError'];
export type ImportErrorCode = ImportErrorResponse['code'];

/** The error of a row; its column is null if the file doesn't have it. */
export interface RowError {
  /** One-based, as in a spreadsheet; the headers are row 1. */
  row: number;
  column: string | null;
  field: string | null;
  /** The cell's content; null or undefined if empty or missing. */
  value?: string | null;
  code: ImportErrorCode;
  message: Text;
}

/** A stored error, with its number within the row. */
export interface StoredRowError {
  row_number: number;
  number: number;
  column_letter: string | null;
  field: string | null;
  value: string | null;
  code: string;
  message: string;
  /** The translatable message; null for errors stored before it existed. */
  said: StoredText | null;
}

const errorsPerStatement = 2_000;
const maxMessage = 500;
const maxValue = 100;

/** @param errors of complete rows, grouped by row; the rows have none yet */
export async function addErrors(tx: TenantTransaction, importId: string, errors: readonly RowError[]): Promise<void> {
  let row: number | undefined;
  let number = 0;
  const stored: StoredRowError[] = errors.map((error) => {
    number = error.row === row ? number + 1 : 0;
    row = error.row;
    const { column: columnLetter, field, value = null, code, message } = error;
    const storedText = message.stored();
    return {
      row_number: row,
      number,
      column_letter: columnLetter,
      field,
      value,
      code,
      message: translateStored(storedText, 'en'),
      said: storedText,
    };
  });
  for (let at = 0; at < stored.length; at += errorsPerStatement) {
    const part = JSON.stringify(stored.slice(at, at + errorsPerStatement));
    await sql`
      insert into import_errors
        (company_id, import_id, row_number, number, column_letter, field, value, code, message, said)
      select ${tx.company_id}, ${importId}, f.row_number, f.number, f.column_letter, f.field, f.value, f.code, f.message,
        f.said
      from json_to_recordset(${part}::json) as f (
        row_number int, number smallint, column_letter text, field text, value text, code text, message text, said jsonb
      )`.execute(tx.raw);
  }
}

/** By row, then by column. */
export async function errorsOfImport(
  tenant: Tenant,
  importId: string,
  count: number,
  after: [rowNumber: number, number: number] | undefined,
): Promise<StoredRowError[]> {
  const found = await tenant
    .selectFrom('import_errors')
    .select(['row_number', 'number', 'column_letter', 'field', 'value', 'code', 'message', 'said'])
    .where('import_id', '=', importId)
    .$call(keyset(['row_number', 'number'], 'asc', after))
    .limit(count)
    .execute();
  return found as unknown as StoredRowError[];
}

/** @returns the one-based numbers of rows with errors */
export async function faultyRows(tenant: Tenant, importId: string): Promise<Set<number>> {
  const rows = await tenant
    .selectFrom('import_errors')
    .select('row_number')
    .distinct()
    .where('import_id', '=', importId)
    .execute();
  return new Set(rows.map(({ row_number: rowNumber }) => rowNumber));
}

export function errorResponse(error: StoredRowError, language: Language, seesSalaries: boolean): ImportErrorResponse {
  const { row_number: rowNumber, column_letter: columnLetter, field, value, code } = error;
  const view = { row: rowNumber, column: columnLetter, field, code, message: messageIn(error, language) };
  if (field === 'salary' && !seesSalaries) return { ...view, restricted_fields: ['value'] };
  return { ...view, value };
}

export function valueExcerpt(cell: Cell | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  return String(cell).replaceAll('\0', '').slice(0, maxValue).toWellFormed();
}

export function messageIn(
  { message, said: storedText }: Pick<StoredRowError, 'message' | 'said'>,
  language: Language,
): string {
  return storedText ? translateStored(storedText, language) : message;
}

function translateStored(storedText: StoredText, language: Language): string {
  return Text.from(storedText).translate(language).slice(0, maxMessage);
}
