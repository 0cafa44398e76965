/**
 * Lines that are one quoted cell each: Excel saves them so after it has opened a csv file with another delimiter than its
 * own, with all of each row in column A.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { likelyDelimiter } from './csv/delimiter.ts';

const linesLookedAt = 12;
const wholeLine = /^"(?:[^"]|"")*"$/;

/** @returns the lines as they were before, when all of the first ones are quoted as a whole and have several cells within */
export function unquotedLines(head: string): string | undefined {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line !== '');
  const first = lines.slice(0, lines.length > linesLookedAt ? linesLookedAt : undefined); // the last may be cut off
  if (first.length < 2 || !first.every((line) => wholeLine.test(line))) return undefined;
  const inner = first.map((line) => line.slice(1, -1).replaceAll('""', '"')).join('\n');
  const delimiter = likelyDelimiter(inner);
  const widths = widthsOf(inner, delimiter);
  return widths.size === 1 && !widths.has(1) ? inner : undefined;
}

function widthsOf(text: string, delimiter: string): Set<number> {
  try {
    const rows: string[][] = parse(text, { delimiter, relax_column_count: true, relax_quotes: true });
    return new Set(rows.map(({ length }) => length));
  } catch (error) {
    if (error instanceof CsvError) return new Set(); // quotes that only the lines have
    throw error;
  }
}

/** A line of the file as it was before: a row of several cells stays as it is. */
export function unquotedLine(record: readonly string[], delimiter: string): string {
  if (record.length === 1) return record[0]!;
  return record.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter);
}
