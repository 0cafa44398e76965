/**
 * Interprets the numbers of a column. Whether 68.400 has thousands or decimals is inferred from the column's other numbers, then
 * from the file's; otherwise a question is asked. Messages never contain numbers, because these may be salaries; examples of
 * questions do, and are only shown to people with access.
 */
import { sentences, type Text, t } from '../../../../contract/languages/text.ts';
import { type DecimalSign, decimalSigns, readNumber } from '../../../../platform/sheets/cells/number-texts.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { Question } from '../../state/questions.ts';
import { inBatches } from '../in-batches.ts';

interface NumberSettings {
  decimal: DecimalSign | undefined;
  /** Whether someone has seen, or will see, how the numbers were interpreted. */
  isConfirmed: boolean;
}

export interface NumberColumn {
  warnings: { code: 'decimal' | 'currency'; message: Text }[];
  /** Why the numbers are ambiguous; no cell is changed then. */
  error?: Text;
  question?: Question;
}

interface Ambiguous {
  row: number;
  text: string;
  comma: number;
  point: number;
}

interface Found {
  /** Unambiguous signs of the column, with their first row. */
  shown: Map<DecimalSign, number>;
  ambiguous: Ambiguous[];
  currencies: Set<string>;
}

/** Reads all columns before it converts any: each can show the decimal sign of the others. @param columns with their maximum decimals */
export async function readNumberColumns(
  rows: readonly Row[],
  columns: ReadonlyMap<number, number>,
  settings: NumberSettings,
): Promise<Map<number, NumberColumn>> {
  const found: [number, Found, Found['shown']][] = [];
  for (const [column, decimals] of columns) {
    const own = await scan(rows, [column], decimals);
    const isShown = own.shown.size > 0 || own.ambiguous.length === 0;
    found.push([column, own, isShown ? own.shown : (await scan(rows, otherColumns(rows, column), 2)).shown]);
  }
  const read = new Map<number, NumberColumn>();
  for (const each of found) read.set(each[0], await convert(rows, ...each, settings));
  return read;
}

/** Converts numbers in place. Other cells stay, and are errors of their rows. */
async function convert(
  rows: readonly Row[],
  column: number,
  found: Found,
  knownSigns: Found['shown'],
  settings: NumberSettings,
): Promise<NumberColumn> {
  const [first] = found.ambiguous;
  const deduced = knownSigns.size === 1 ? [...knownSigns.keys()][0] : undefined;
  const decimal = settings.decimal ?? deduced;
  if (first && (!decimal || (!settings.decimal && !settings.isConfirmed))) {
    const fieldError = deduced ? sentences(readAs(first, deduced, knownSigns), confirm) : twoReadings(first);
    return { warnings: [], error: fieldError, question: questionOf(first) };
  }
  for await (const { cells } of inBatches(rows)) {
    const number = numberOf(cells[column] ?? null, decimal);
    if (number !== undefined) cells[column] = number;
  }
  const deduction = first && deduced && !settings.decimal ? readAs(first, deduced, knownSigns) : undefined;
  return { warnings: warningsOf(found, deduction) };
}

function numberOf(cell: Cell, decimal: DecimalSign | undefined): number | undefined {
  if (typeof cell !== 'string') return undefined;
  const reading = readNumber(cell);
  if (reading.kind === 'number') return reading.value;
  return reading.kind === 'ambiguous' && decimal ? reading[decimal] : undefined;
}

async function scan(rows: readonly Row[], columns: readonly number[], decimals: number): Promise<Found> {
  const found: Found = { shown: new Map(), ambiguous: [], currencies: new Set() };
  for await (const { row, cells } of inBatches(rows)) {
    for (const column of columns) {
      const cell = cells[column];
      if (typeof cell !== 'string') continue;
      const text = cell.trim();
      const reading = readNumber(text);
      if (reading.kind === 'none') continue;
      if (reading.currency !== undefined) found.currencies.add(reading.currency);
      if (reading.kind === 'number' && reading.decimal && !found.shown.has(reading.decimal)) {
        found.shown.set(reading.decimal, row);
      }
      if (reading.kind !== 'ambiguous') continue;
      found.ambiguous.push({ row, text, comma: reading.comma, point: reading.point });
      const sign = signOf(reading, decimals);
      if (sign && !found.shown.has(sign)) found.shown.set(sign, row);
    }
  }
  return found;
}

/** Excludes a sign that would give too many decimals. */
function signOf(reading: Pick<Ambiguous, 'comma' | 'point'>, decimals: number): DecimalSign | undefined {
  const fitting = decimalSigns.filter((sign) => Number(reading[sign].toFixed(decimals)) === reading[sign]);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Rows that determine the width of the table. */
const firstRows = 500;

/** Indexes of all other columns. */
function otherColumns(rows: readonly Row[], column: number): number[] {
  const width = Math.max(0, ...rows.slice(0, firstRows).map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => at).filter((at) => at !== column);
}

const confirm = t`Confirm it: send the file with \`dry_run\`, check the result and commit it, or set \`decimal\`.`;

function readAs({ row }: Ambiguous, sign: DecimalSign, knownSigns: Found['shown']): Text {
  const evidenceRow = knownSigns.get(sign)!;
  if (evidenceRow === row) {
    return sign === 'comma'
      ? t`Numbers are read with a decimal comma, as row ${row} shows.`
      : t`Numbers are read with a decimal point, as row ${row} shows.`;
  }
  return sign === 'comma'
    ? t`Numbers are read with a decimal comma, as row ${evidenceRow} shows; the one in row ${row} is ambiguous.`
    : t`Numbers are read with a decimal point, as row ${evidenceRow} shows; the one in row ${row} is ambiguous.`;
}

function twoReadings({ row }: Ambiguous): Text {
  return t`The numbers can be read in two ways, as in row ${row}: with a decimal comma, or with a decimal point. Set \`decimal\`.`;
}

function questionOf({ row, text, ...reading }: Ambiguous): Question {
  const labels = { comma: t`The comma is before the decimals`, point: t`The point is before the decimals` };
  return {
    ...{ id: 'decimal', kind: 'decimal', column: null },
    message: t`How are the numbers written? The one in row ${row} can be read in two ways.`,
    choices: decimalSigns.map((answer) => {
      return { answer, label: labels[answer], example: `${text} = ${reading[answer]}` };
    }),
  };
}

function warningsOf({ currencies }: Found, deduced: Text | undefined): NumberColumn['warnings'] {
  const warnings: NumberColumn['warnings'] = deduced ? [{ code: 'decimal', message: deduced }] : [];
  const signs = [...currencies].slice(0, 10).join(' ');
  if (currencies.size === 1) {
    const message = t`The currency ${signs} is removed from the numbers and isn’t stored.`;
    warnings.push({ code: 'currency', message });
  }
  if (currencies.size > 1) {
    const message = t`The numbers are in several currencies: ${signs}. The currencies are removed, and nothing is converted.`;
    warnings.push({ code: 'currency', message });
  }
  return warnings;
}
