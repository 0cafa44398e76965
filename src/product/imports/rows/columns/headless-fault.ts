/** The error of a file without headers. */
import { say, sentences } from '../../../../contract/languages/text.ts';
import { mostRowsAbove } from '../../../../platform/sheets/headers/header-row.ts';
import type { Row } from '../../../../platform/sheets/model/types.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { AskedFault } from '../../state/questions.ts';
import { longestQuote, mostQuotes, shown } from './table-columns.ts';

export function headlessFault(head: readonly Row[], { mode }: Pick<ImportRow, 'mode'>): AskedFault {
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
