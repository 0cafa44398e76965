/** Cleans cells before anything else reads them: formulas, placeholders, error values, lost digits, and garbled text. */
import { type Text, t } from '../../../../contract/languages/text.ts';
import {
  firstInexact,
  hasReplacedLetters,
  isCellError,
  isPlaceholder,
  isScientific,
  repairMojibake,
  unquoted,
} from '../../../../platform/sheets/cells/damaged-texts.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, CellProblem, CellProblemCode, Row } from '../../../../platform/sheets/model/types.ts';
import type { Question } from '../../state/questions.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import { inBatches } from '../in-batches.ts';

/** Maximum number of different examples per kind in a message. */
const maxExamples = 5;

export type GarbledText = 'keep' | 'repair';

interface Cleaning {
  /** Mapped columns, and whether their digits are text. */
  columns: ReadonlyMap<number, boolean>;
  /** How to handle garbled texts, by the request or an answer. */
  garbled: GarbledText | undefined;
}

export interface Cleaned {
  warnings: ImportWarning[];
  error?: Text;
  question?: Question;
}

class Findings {
  readonly placeholders = new Set<string>();
  formulas: { row: number; column: number } | undefined;
  garbled: { row: number; text: string; repaired: string } | undefined;
}

/** Changes cells in place; unusable ones become problems of their row. */
export async function cleanCells(rows: readonly Row[], cleaning: Cleaning): Promise<Cleaned> {
  const findings = new Findings();
  for await (const row of inBatches(rows)) {
    applyFormulaResults(row, cleaning, findings);
    for (const [column, isText] of cleaning.columns) {
      const cell = row.cells[column] ?? null;
      if (cell === null) continue;
      const clean = cleanCell(cell, isText, cleaning.garbled, findings, row.row);
      if (typeof clean === 'object' && clean !== null) markUnusable(row, { column, ...clean });
      else row.cells[column] = clean;
    }
  }
  const { garbled } = findings;
  const warnings = warningsOf(findings);
  return garbled && !cleaning.garbled ? { warnings, ...garbledQuestion(garbled) } : { warnings };
}

/** Replaces formulas by their cached result. */
function applyFormulaResults(row: Row, { columns }: Cleaning, findings: Findings): void {
  if (!row.problems) return;
  row.problems = row.problems.filter(({ column, code, value }) => {
    if (code !== 'formula' || value === undefined || value === null) return true;
    while (row.cells.length <= column) row.cells.push(null);
    row.cells[column] = value === '' ? null : value;
    if (columns.has(column)) findings.formulas ??= { row: row.row, column };
    return false;
  });
}

function markUnusable(row: Row, problem: CellProblem): void {
  row.cells[problem.column] = null;
  row.problems = [...(row.problems ?? []), problem];
}

/** @returns the intended value, or why the cell is unusable */
function cleanCell(
  cell: Exclude<Cell, null>,
  isText: boolean,
  garbled: GarbledText | undefined,
  findings: Findings,
  row: number,
): Cell | { code: CellProblemCode; text: string } {
  if (typeof cell === 'number' && isText && Math.abs(cell) >= firstInexact) {
    return { code: 'digits_lost', text: String(cell) };
  }
  if (typeof cell !== 'string') return cell;
  if (isPlaceholder(cell)) {
    if (findings.placeholders.size < maxExamples) findings.placeholders.add(cell.trim());
    return null;
  }
  if (isCellError(cell)) return { code: 'cell_error', text: cell };
  const text = unquoted(cell);
  if (isText && isScientific(text)) return { code: 'digits_lost', text };
  if (!isText) return text;
  if (hasReplacedLetters(text)) return { code: 'letters_lost', text };
  const repaired = repairMojibake(text);
  if (repaired === undefined) return text;
  findings.garbled ??= { row, text, repaired };
  return garbled === 'repair' ? repaired : text;
}

function warningsOf({ placeholders, formulas }: Findings): ImportWarning[] {
  const warnings: ImportWarning[] = [];
  if (placeholders.size > 0) {
    const message = t`These are read as empty cells: ${[...placeholders].join('  ')}`;
    warnings.push({ code: 'placeholders', message, column: null });
  }
  if (formulas) {
    const message = t`Formulas are read as their stored result, as in row ${formulas.row}.`;
    warnings.push({ code: 'formula_results', message, column: columnLetter(formulas.column) });
  }
  return warnings;
}

function garbledQuestion({
  row,
  text,
  repaired,
}: NonNullable<Findings['garbled']>): Pick<Cleaned, 'error' | 'question'> {
  return {
    error: t`Some texts were garbled before this file was uploaded: row ${row} has “${text}”, which may mean “${repaired}”. Set \`garbled_text\` to repair or keep them.`,
    question: {
      ...{ id: 'garbled_text', kind: 'garbled_text', column: null },
      message: t`Some letters in the file seem to be garbled. Which is right in row ${row}?`,
      choices: [
        { answer: 'repair', label: t`Repair them`, example: repaired },
        { answer: 'keep', label: t`Keep them as they are`, example: text },
      ],
    },
  };
}
