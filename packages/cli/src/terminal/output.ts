/** What commands print: text for people, or with `--json` one JSON document for programs. */

export interface OutputOptions {
  json?: boolean;
}

export function print({ json }: OutputOptions, data: unknown, text: string): void {
  console.log(json ? JSON.stringify(data, null, 2) : text);
}

/** Columns wide enough for their longest cell. @returns `nothing` for no rows */
export function table(headers: string[], rows: string[][], nothing: string): string {
  if (rows.length === 0) return nothing;
  const widths = headers.map((header, i) => Math.max(header.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [headers, ...rows].map(line).join('\n');
}

/** A reader of the output that had enough, as `head` does, is no error. */
export function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
