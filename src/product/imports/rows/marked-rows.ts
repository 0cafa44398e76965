/** Applies a sheet's marks: merged cells count for every row they cover, and hidden rows cause a warning. */
import { t } from '../../../contract/languages/text.ts';
import { columnLetter } from '../../../platform/sheets/model/letters.ts';
import type { Row } from '../../../platform/sheets/model/types.ts';
import type { MergedCells, SheetMarks } from '../../../platform/sheets/sheet-marks.ts';
import type { ImportWarning } from '../state/warnings.ts';

/** @param rows of people, in file order */
export function readMarks(rows: readonly Row[], { merged, hidden }: SheetMarks): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  const indexByRow = new Map(rows.map(({ row }, at) => [row, at]));
  const first = merged.filter((cells) => fillDown(rows, indexByRow, cells))[0];
  if (first) {
    const letter = columnLetter(first.column);
    const message = t`Merged cells apply to every row that they cover: ${letter + first.first} to rows ${first.first} to ${first.last}.`;
    warnings.push({ code: 'merged_cells', message, column: letter });
  }
  const unseen = hidden.filter((row) => indexByRow.has(row));
  if (unseen.length > 0) {
    const listed = unseen.slice(0, maxListed).join(', ') + (unseen.length > maxListed ? ' …' : '');
    const message = t`Hidden rows are imported too. If they don’t belong to the list, delete them and send the file again: ${listed}`;
    warnings.push({ code: 'hidden_rows', message, column: null });
  }
  return warnings;
}

const maxListed = 10;

function fillDown(rows: readonly Row[], indexByRow: ReadonlyMap<number, number>, { column, first, last }: MergedCells) {
  const from = indexByRow.get(first);
  if (from === undefined) return false;
  const { cells, problems = [] } = rows[from]!;
  const value = cells[column] ?? null;
  const problem = problems.find((each) => each.column === column);
  if (value === null && !problem) return false;
  let isFilled = false;
  for (let at = from + 1; at < rows.length && rows[at]!.row <= last; at++) {
    const row = rows[at]!;
    if ((row.cells[column] ?? null) !== null) continue;
    while (row.cells.length < column) row.cells.push(null);
    row.cells[column] = value;
    if (problem) row.problems = [...(row.problems ?? []), problem];
    isFilled = true;
  }
  return isFilled;
}
