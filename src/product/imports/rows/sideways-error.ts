/** The error of a transposed table, with field names in rows and a column per person. */
import { t } from '../../../contract/languages/text.ts';
import type { Row } from '../../../platform/sheets/model/types.ts';
import type { AnswerableError } from '../state/questions.ts';
import { meaning } from './columns/import-fields.ts';
import type { TableColumns } from './columns/table-columns.ts';

/** Field names in a row that can't be values by chance. */
const minFieldNames = 2;

export function sidewaysError(
  { header, fieldColumns }: TableColumns,
  rows: readonly Row[],
): AnswerableError | undefined {
  const isAlone = fieldColumns.size === 1 && [...fieldColumns.values()][0] === 0;
  const first = rows.slice(0, minFieldNames).map(({ cells }) => cells[0]);
  const areNames =
    first.length === minFieldNames && first.every((cell) => meaning(String(cell ?? ''), false) !== undefined);
  if (!isAlone || !areNames) return undefined;
  const message = t`The field names are in column A, one below the other. Put them in one row, and each person in a row below it: spreadsheet programs do that when you copy the cells and paste them transposed.`;
  return { row: header.row, column: 'A', field: null, code: 'invalid_format', message };
}
