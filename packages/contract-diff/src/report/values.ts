// Human-readable values.

/** Truncation limit in text reports. */
const maxLength = 300;

/** A value as one line, truncated; `(nothing)` for null, which means absent. */
export function brief(value: unknown, length = maxLength): string {
  if (value === null || value === undefined) return '(nothing)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
}

/** The differing parts of two texts with some context, to shorten long descriptions. */
export function differing(before: unknown, after: unknown): [before: string, after: string] {
  if (typeof before !== 'string' || typeof after !== 'string') return [brief(before), brief(after)];
  if (Math.max(before.length, after.length) <= maxLength) return [brief(before), brief(after)];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const contextLength = 60;
  const part = (text: string) => {
    const [from, to] = [Math.max(0, start - contextLength), Math.min(text.length, text.length - end + contextLength)];
    return `${from > 0 ? '… ' : ''}${brief(text.slice(from, to))}${to < text.length ? ' …' : ''}`;
  };
  return [part(before), part(after)];
}
