// Formats medians with their range for the tables.

export interface Range {
  median: number;
  least: number;
  most: number;
}

export function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, least: sorted[0]!, most: sorted.at(-1)! };
}

/** @param digits decimal places */
export function formatRange({ median, least, most }: Range, digits = 0): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

export function formatMedian(values: readonly number[], digits = 0): string {
  return formatRange(rangeOf(values), digits);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
