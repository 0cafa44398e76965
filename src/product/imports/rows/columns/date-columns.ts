/**
 * Interprets the dates of a column. Whether 03/02/2024 is in February or March is inferred from the column's other dates; a
 * person confirms it by committing the dry run that reported it.
 */
import { sentences, type Text, t } from '../../../../contract/languages/text.ts';
import {
  type DateOrder,
  type DateReading,
  dateOrders,
  readDate,
} from '../../../../platform/sheets/cells/date-texts.ts';
import { isoOfSerial } from '../../../../platform/sheets/cells/dates.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { Question } from '../../state/questions.ts';
import { inBatches } from '../in-batches.ts';

interface DateSettings {
  order: DateOrder | undefined;
  /** Whether someone has seen, or will see, how the dates were interpreted. */
  isConfirmed: boolean;
  from1904: boolean;
}

export interface DateColumn {
  /** Order for text dates; null if none needs one. */
  order: DateOrder | null;
  warnings: { code: 'date_order' | 'serial_dates' | 'swapped_dates' | 'zero_dates'; message: Text }[];
  /** Why the dates are ambiguous; no cell is changed then. */
  error?: Text;
  question?: Question | undefined;
  /** The same for single rows, if most dates are clear and no one can be asked. */
  unclear?: Text;
}

interface DateText {
  row: number;
  text: string;
}

interface Ordered extends DateText {
  by: ReadonlyMap<DateOrder, string>;
}

/** Contents of a column, without empty cells and cells that can't be dates. */
interface Found {
  days: string[];
  ordered: Ordered[];
  serials: (DateText & { iso: string })[];
  hasOtherNumbers: boolean;
  zero: DateText | undefined;
}

/** Converts dates in place. Other cells stay, and are errors of their rows. */
export async function readDateColumn(
  rows: readonly Row[],
  column: number,
  settings: DateSettings,
): Promise<DateColumn> {
  const found = await scan(rows, column, settings.from1904);
  const serials = found.hasOtherNumbers ? [] : found.serials;
  const { error: fieldError, order, isDeduced } = orderOf(found.ordered, settings);
  const unclear = fieldError ?? (serials[0] && !settings.isConfirmed ? serialError(serials[0]) : undefined);
  if (unclear && (settings.isConfirmed || found.days.length <= found.ordered.length + serials.length)) {
    return { order: null, warnings: [], error: unclear, question: fieldError && questionOf(found.ordered) };
  }
  for await (const { cells } of inBatches(rows)) {
    const cell = cells[column] ?? null;
    const iso = isZero(cell) ? null : isoOf(cell, order, serials.length > 0 && !unclear, settings.from1904);
    if (iso !== undefined) cells[column] = iso;
  }
  if (unclear) return { order: null, warnings: zeroWarnings(found), unclear };
  const needsOrder = found.ordered.some(({ by }) => new Set(by.values()).size > 1 || by.size === 1);
  return { order: needsOrder ? order! : null, warnings: warningsOf(found, serials, isDeduced ? order : undefined) };
}

/** Plausible hire dates; other numbers in a date column aren't dates. */
const plausible = { from: '1940-01-01', to: '2099-12-31' };

function dayOfNumber(number: number, from1904: boolean): string | undefined {
  const iso = isoOfSerial(number, from1904);
  return iso !== undefined && iso >= plausible.from && iso <= `${plausible.to}T` ? iso : undefined;
}

/** A number without a date format; in a text file, five digits. Eight digits are a date, not such a number. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell < 10_000_000 ? cell : undefined;
  return typeof cell === 'string' && /^\d{5}(\.\d+)?$/.test(cell.trim()) ? Number(cell) : undefined;
}

async function scan(rows: readonly Row[], column: number, from1904: boolean): Promise<Found> {
  const found: Found = { days: [], ordered: [], serials: [], hasOtherNumbers: false, zero: undefined };
  for await (const { row, cells } of inBatches(rows)) {
    const cell = cells[column] ?? null;
    if (cell === null) continue;
    const text = String(cell);
    if (isZero(cell)) {
      found.zero ??= { row, text };
      continue;
    }
    if (isIso(text)) {
      found.days.push(text);
      continue;
    }
    const number = numberOf(cell);
    if (number !== undefined) {
      const iso = dayOfNumber(number, from1904);
      if (iso === undefined) found.hasOtherNumbers = true;
      else found.serials.push({ row, text, iso });
      continue;
    }
    const reading = readDate(text);
    if (reading.kind === 'date') found.days.push(reading.iso);
    else if (reading.kind === 'ordered') found.ordered.push({ row, text, by: reading.by });
  }
  return found;
}

/** How MySQL and BambooHR write a missing date. */
function isZero(cell: Cell): boolean {
  return typeof cell === 'string' && /^\s*0{1,4}([./-])0{1,2}\1(?:0{4}|0{1,2})(?:[T ][0:.]+Z?)?\s*$/.test(cell);
}

/** The common case. The contract validates whether the day exists. */
function isIso(cell: Cell): cell is string {
  return typeof cell === 'string' && /^\d{4}-\d\d-\d\d$/.test(cell);
}

/** @returns undefined for cells that aren't dates, are ambiguous, or already in ISO form */
function isoOf(cell: Cell, order: DateOrder | undefined, hasSerials: boolean, from1904: boolean): string | undefined {
  if (cell === null || typeof cell === 'boolean' || isIso(cell)) return undefined;
  const number = numberOf(cell);
  if (number !== undefined) return hasSerials ? dayOfNumber(number, from1904) : undefined;
  const reading = readDate(String(cell));
  if (reading.kind === 'date') return reading.iso;
  return reading.kind === 'ordered' && order ? reading.by.get(order) : undefined;
}

/** The order that fits all dates: the given one, or else the only one. */
function orderOf(
  ordered: readonly Ordered[],
  { order, isConfirmed }: DateSettings,
): { order?: DateOrder; isDeduced?: boolean; error?: Text } {
  if (order) return { order };
  const fitting = dateOrders.filter((each) => ordered.every(({ by }) => by.has(each)));
  const [first, ...others] = fitting;
  if (ordered.length === 0) return {};
  if (!first) return { error: noOrderError(ordered) };
  const conflicts = others.flatMap((other) => {
    const example = ordered.find(({ by }) => by.get(first) !== by.get(other));
    return example ? [{ other, example }] : [];
  });
  if (conflicts[0]) return { error: twoOrdersError(first, conflicts[0].other, conflicts[0].example) };
  const isCertain = others.length > 0; // every order gives the same day
  if (isCertain || isConfirmed) return { order: first, isDeduced: !isCertain };
  return { error: sentences(orderSentence(first, ordered), confirmOrder) };
}

/** One choice per order, with an example that distinguishes them. */
function questionOf(ordered: readonly Ordered[]): Question {
  const example = ordered.find(({ by }) => new Set(by.values()).size > 1) ?? ordered[0]!;
  const orders = dateOrders.filter((order) => ordered.some(({ by }) => by.has(order)));
  const labels = { dmy: t`The day is first`, mdy: t`The month is first`, ymd: t`The year is first` };
  return {
    ...{ id: 'date_order', kind: 'date_order', column: null },
    message: t`How are the dates written? ${example.text} in row ${example.row} can be read in more than one way.`,
    choices: orders.map((answer) => {
      const { text, by } = example.by.has(answer) ? example : ordered.find((each) => each.by.has(answer))!;
      return { answer, label: labels[answer], example: `${text} = ${by.get(answer)!}` };
    }),
  };
}

/** For inferences that no one has seen. */
const confirmOrder = t`Confirm it: send the file with \`dry_run\`, check the result and commit it, or set \`date_order\`.`;
const confirmNumbers = t`Confirm it: send the file with \`dry_run\`, check the result and commit it, or format the cells as dates.`;

const orderPhrases: Record<DateOrder, Text> = {
  dmy: t`with the day first`,
  mdy: t`with the month first`,
  ymd: t`with the year first`,
};

function orderSentence(order: DateOrder, ordered: readonly Ordered[]): Text {
  const { text, by } = ordered.find((each) => each.by.size === 1) ?? ordered[0]!;
  return t`Every value is a valid date only when read ${orderPhrases[order]}: ${text} is ${by.get(order)!}.`;
}

function twoOrdersError(one: DateOrder, other: DateOrder, { row, text, by }: Ordered): Text {
  const [first, second] = [by.get(one)!, by.get(other)!];
  return t`The dates can be read in more than one way: ${text} in row ${row} is ${first} ${orderPhrases[one]}, and ${second} ${orderPhrases[other]}. Say which with \`date_order\`.`;
}

function noOrderError(ordered: readonly Ordered[]): Text {
  const one = ordered.find(({ by }) => by.size === 1) ?? ordered[0]!;
  const [order] = one.by.keys();
  const other = ordered.find(({ by }) => !by.has(order!)) ?? one;
  return t`The dates are not all written in the same order: ${one.text} in row ${one.row}, ${other.text} in row ${other.row}. Write them in one order, or set \`date_order\`: dates in another order are then row errors.`;
}

function serialError({ row, text, iso }: DateText & { iso: string }): Text {
  const found = t`The column has numbers instead of dates: ${text} in row ${row} would be ${iso}.`;
  return sentences(found, confirmNumbers);
}

function warningsOf(found: Found, serials: Found['serials'], deduced: DateOrder | undefined): DateColumn['warnings'] {
  const warnings = zeroWarnings(found);
  if (deduced) warnings.push({ code: 'date_order', message: orderSentence(deduced, found.ordered) });
  if (serials[0]) {
    const { row, text, iso } = serials[0];
    const message = t`Numbers instead of dates are read as spreadsheet dates: ${text} in row ${row} is ${iso}.`;
    warnings.push({ code: 'serial_dates', message });
  }
  if (couldBeSwapped(found)) {
    const { row, text } = found.ordered[0]!;
    const message = t`Some dates are text, all with a day above 12, as ${text} in row ${row}, and no other date has such a day. A program may have swapped day and month in the others: check them.`;
    warnings.push({ code: 'swapped_dates', message });
  }
  return warnings;
}

function zeroWarnings({ zero }: Found): DateColumn['warnings'] {
  if (!zero) return [];
  const message = t`Zero dates, such as ${zero.text} in row ${zero.row}, are read as empty cells.`;
  return [{ code: 'zero_dates', message }];
}

/** With fewer dates it is likely by chance. */
const minSwapped = 4;

/** A program that swaps day and month leaves dates with a day above 12 as text: then these are right, and all others wrong. */
function couldBeSwapped({ days, ordered }: Found): boolean {
  return (
    days.length > 0 &&
    ordered.length > 0 &&
    days.length + ordered.length >= minSwapped &&
    days.every((iso) => Number(iso.slice(8)) <= 12) &&
    ordered.every(({ by }) => by.has('dmy') !== by.has('mdy'))
  );
}

/** @param unclear message for ambiguous dates of the column */
export function dateErrorOf(
  cell: Cell,
  unclear?: Text,
): { code: 'invalid_format' | 'unclear_dates'; message: Text } | undefined {
  if (isIso(cell)) return undefined;
  const { kind } = readDate(String(cell));
  const isUnclear = kind === 'ordered' || (kind === 'none' && numberOf(cell) !== undefined);
  if (unclear && isUnclear) return { code: 'unclear_dates', message: unclear };
  return { code: 'invalid_format', message: wrong[kind] };
}

const wrong: Record<DateReading['kind'], Text> = {
  time: t`Must be a date without a time.`,
  ordered: t`Is not a date in the order of this column’s other dates.`,
  none: t`Must be a date, such as 2026-03-02.`,
  date: t`Must be a date, such as 2026-03-02.`,
};
