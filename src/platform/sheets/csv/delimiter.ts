/** Detects the delimiter of a csv file. */

const delimiters = [',', ';', '\t', '|'];
/** Nonempty lines to examine: a title above the headers may contain a comma. */
const examinedLines = 12;

/** Prefers a delimiter that is equally frequent in every line; below a title, in most lines. Ignores quoted ones. */
export function likelyDelimiter(text: string): string {
  const lines = countsByLine(text);
  const scores = new Map(delimiters.map((delimiter, at) => [delimiter, score(lines.map((counts) => counts[at]!))]));
  return delimiters.reduce((best, delimiter) => (scores.get(delimiter)! > scores.get(best)! ? delimiter : best));
}

function countsByLine(text: string): number[][] {
  const lines: number[][] = [];
  let counts: number[] | undefined;
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '\n' || character === '\r')) {
      if (counts && lines.push(counts) === examinedLines) return lines;
      counts = undefined;
      continue;
    }
    counts ??= delimiters.map(() => 0);
    const at = isQuoted ? -1 : delimiters.indexOf(character);
    if (at >= 0) counts[at]!++;
  }
  return counts ? [...lines, counts] : lines;
}

/** Exceeds every other score: decimal commas are in many lines, but not in the headers. */
const everyLineScore = 1_000_000_000;

function score(counts: readonly number[]): number {
  const [first] = counts;
  if (first && counts.every((count) => count === first)) return first * everyLineScore;
  return Math.max(0, ...counts.map((count) => count * counts.filter((other) => other === count).length));
}
