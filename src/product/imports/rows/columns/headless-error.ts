/** The error of a file without headers. */
import { sentences, t } from '../../../../contract/languages/text.ts';
import { maxRowsAbove } from '../../../../platform/sheets/headers/header-row.ts';
import type { Row } from '../../../../platform/sheets/model/types.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { AnswerableError } from '../../state/questions.ts';
import { excerpt, maxQuote, maxQuotes } from './table-columns.ts';

export function headlessError(head: readonly Row[], { mode }: Pick<ImportRow, 'mode'>): AnswerableError {
  const [first] = head;
  const cells = first!.cells.filter((cell) => cell !== null).slice(0, maxQuotes);
  const quotes = cells.map((cell) => `“${excerpt(String(cell), maxQuote)}”`).join(', ');
  const count = Math.min(head.length, maxRowsAbove);
  const { row } = first!;
  const content = quotes || t`no texts`;
  const found =
    count > 1
      ? t`None of the first ${count} rows has the headers: row ${row} has ${content}.`
      : t`The file has no headers: row ${row} has ${content}.`;
  const requirement =
    mode === 'upsert'
      ? t`Add a row with the column names, such as email and the fields to change.`
      : t`Add a row with the column names, such as name, email, position, and department.`;
  return { row, column: null, field: null, code: 'required', message: sentences(found, requirement) };
}
