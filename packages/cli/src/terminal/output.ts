/** Command output: text for people, or one JSON document with `--json`. */
import { displayWidth } from './display-width.ts';
import { jsonText, printable, printableLine } from './printable.ts';

export interface OutputOptions {
  json?: boolean;
}

/** Properties have snake_case names, as in responses of the API. */
type SnakeCase<T> = T extends readonly (infer Item)[]
  ? readonly SnakeCase<Item>[]
  : T extends object
    ? { [Name in keyof T]: Name extends string ? (Capitals<Name> extends never ? SnakeCase<T[Name]> : never) : never }
    : T;
type Capitals<Name extends string> = string extends Name ? never : Name extends Lowercase<Name> ? never : Name;

export function print<T>({ json }: OutputOptions, data: T & SnakeCase<T>, text: string): void {
  if (json) printJson(data, 2);
  else printText(text);
}

export function printText(text: string): void {
  console.log(printable(text));
}

export function printJson(data: unknown, indent?: number): void {
  console.log(jsonText(data, indent));
}

/** Prints a message that is not a result, on stderr. */
export function note(text: string): void {
  console.error(printable(text));
}

/** Formats a table with aligned columns. @returns `emptyText` when there are no rows */
export function table(headers: string[], cells: string[][], emptyText: string): string {
  if (cells.length === 0) return emptyText;
  const rows = cells.map((row) => row.map(printableLine));
  const widths = headers.map((header, i) => Math.max(...[header, ...rows.map((row) => row[i]!)].map(displayWidth)));
  const line = (row: string[]) =>
    row
      .map((cell, i) => cell + ' '.repeat(widths[i]! - displayWidth(cell)))
      .join('  ')
      .trimEnd();
  return [headers, ...rows].map(line).join('\n');
}

/** Ignore EPIPE: a reader such as `head` may close the pipe early. */
export function ignoreEpipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
