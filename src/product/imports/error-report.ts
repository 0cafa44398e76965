/** Writes the uploaded table again, as XLSX or CSV, with a column of errors, to correct and upload again. */

import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { languageOfMember } from '../../identity/members/own-language.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { newKey, type Storage } from '../../platform/files/store/storage.ts';
import { writeCsv } from '../../platform/sheets/csv/write-csv.ts';
import type { SheetColumn } from '../../platform/sheets/model/sheet.ts';
import type { Cell, Row } from '../../platform/sheets/model/types.ts';
import { writeWorkbook } from '../../platform/sheets/xlsx/write-xlsx.ts';
import { importColumns } from '../collaborators/fields/sheet-columns.ts';
import type { PeopleTable } from './rows/people/people-table.ts';
import type { ImportRow } from './state/find-import.ts';
import { messageIn, type StoredRowError } from './state/row-errors.ts';

const rowsAtOnce = 200;
const maxText = 32_000;
const errorsHeader = 'Errors';

/** Uses the language of the person who started the import, if set. @param isUnwritten whether the row wasn't written */
export async function writeReport(
  tenant: Tenant,
  storage: Storage,
  { id, filename, format, created_by: createdBy, committed_by: committedBy }: ImportRow,
  table: PeopleTable,
  isUnwritten: (index: number) => boolean,
): Promise<string> {
  const key = newKey(tenant.company_id, 'imports');
  // Replaces the error column of a corrected report.
  const columnIndexes = table.header.flatMap((cell, column) => {
    return isErrorsHeader(cell) || column === table.indexColumn ? [] : [column]; // the remaining rows have new numbers
  });
  const columns = [...columnIndexes.map((column) => columnOf(table, column)), errorsColumn];
  const starterId = committedBy ?? createdBy;
  const language = (starterId && (await languageOfMember(tenant, starterId))) || defaultLanguage;
  const groups = groupsOf(tenant, { id, language }, table, columnIndexes, isUnwritten);
  const sheet = { name: 'Collaborators', columns, groups };
  await storage.put(
    key,
    format === 'csv' ? writeCsv(sheet, table.delimiter) : writeWorkbook([sheet], { title: filename }),
  );
  return key;
}

const errorsColumn: SheetColumn = { header: errorsHeader, kind: 'text', width: 60 };

function isErrorsHeader(cell: Cell): boolean {
  return typeof cell === 'string' && cell.trim().toLowerCase() === errorsHeader.toLowerCase();
}

function columnOf({ header, keys }: PeopleTable, column: number): SheetColumn {
  const known = importColumns.find(({ key }) => key === keys[column]);
  return { header: String(header[column] ?? ''), kind: known?.kind ?? 'text', ...(known && { width: known.width }) };
}

async function* groupsOf(
  tenant: Tenant,
  { id, language }: { id: string; language: Language },
  table: PeopleTable,
  columnIndexes: readonly number[],
  isUnwritten: (index: number) => boolean,
): AsyncGenerator<Cell[][]> {
  for (let from = 0; from < table.rows.length; from += rowsAtOnce) {
    const rows = table.rows.slice(from, from + rowsAtOnce);
    const errors = await errorsBetween(tenant, id, rows[0]!.row, rows.at(-1)!.row);
    const unwritten = rows.filter((_, at) => isUnwritten(from + at));
    yield unwritten.map((row) => [
      ...columnIndexes.map((column) => cellOf(row, column)),
      textOf(table, language, errors.get(row.row)),
    ]);
  }
}

function cellOf({ cells, problems }: Row, column: number): Cell {
  return problems?.find((problem) => problem.column === column)?.text ?? cells[column] ?? null;
}

async function errorsBetween(
  tenant: Tenant,
  importId: string,
  first: number,
  last: number,
): Promise<Map<number, ReportedError[]>> {
  const found = await tenant
    .selectFrom('import_errors')
    .select(['row_number', 'column_letter', 'field', 'message', 'said'])
    .where('import_id', '=', importId)
    .where('row_number', '>=', first)
    .where('row_number', '<=', last)
    .orderBy('row_number')
    .orderBy('number')
    .execute();
  return Map.groupBy(
    found as unknown as (ReportedError & { row_number: number })[],
    ({ row_number: rowNumber }) => rowNumber,
  );
}

type ReportedError = Pick<StoredRowError, 'column_letter' | 'field' | 'message' | 'said'>;

function textOf({ columns }: PeopleTable, language: Language, errors: readonly ReportedError[] = []): Cell {
  const lines = errors.map((error) => {
    const { column_letter: columnLetter, field } = error;
    const message = messageIn(error, language);
    const name = columns.find(({ column }) => column === columnLetter)?.header ?? field;
    return name === null ? message : `${name}: ${message}`;
  });
  return lines.length > 0 ? lines.join('\n').slice(0, maxText) : null;
}
