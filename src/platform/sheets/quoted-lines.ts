/** Unwraps lines that are one quoted cell: Excel saves a csv file like this after opening it with another delimiter. */
import { CsvError, parse } from 'csv-parse/sync';
import { likelyDelimiter } from './csv/delimiter.ts';

const examinedLines = 12;
const wholeLine = /^"(?:[^"]|"")*"$/;

/** @returns the unwrapped lines, if all of the first lines are quoted as a whole and contain several cells */
export function unquotedLines(head: string): string | undefined {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line !== '');
  const first = lines.slice(0, lines.length > examinedLines ? examinedLines : undefined); // the last line may be truncated
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
    if (error instanceof CsvError) return new Set(); // quotes only around the lines
    throw error;
  }
}

/** The original line; a row of several cells is unchanged. */
export function unquotedLine(record: readonly string[], delimiter: string): string {
  if (record.length === 1) return record[0]!;
  return record.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter);
}
