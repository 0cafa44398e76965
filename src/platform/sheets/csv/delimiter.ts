/** What separates the cells of a text file, which says nothing about it. */

const delimiters = [',', ';', '\t', '|'];
/** How many lines that are not empty are looked at: above the headers there may be a title, with a comma of its own. */
const linesLookedAt = 12;

/**
 * The one that stands equally often in every line; where there is a title, the one that stands most often in the lines, and
 * in most of them the same number of times. Quoted ones do not count.
 */
export function likelyDelimiter(text: string): string {
  const lines = countsByLine(text);
  const scores = new Map(delimiters.map((delimiter, at) => [delimiter, score(lines.map((counts) => counts[at]!))]));
  return delimiters.reduce((best, delimiter) => (scores.get(delimiter)! > scores.get(best)! ? delimiter : best));
}

/** Of each line, how often each of the delimiters stands there. */
function countsByLine(text: string): number[][] {
  const lines: number[][] = [];
  let counts: number[] | undefined;
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '\n' || character === '\r')) {
      if (counts && lines.push(counts) === linesLookedAt) return lines;
      counts = undefined;
      continue;
    }
    counts ??= delimiters.map(() => 0);
    const at = isQuoted ? -1 : delimiters.indexOf(character);
    if (at >= 0) counts[at]!++;
  }
  return counts ? [...lines, counts] : lines;
}

/** More than any score without it: decimal commas are in many lines, but not in the headers. */
const inEveryLine = 1_000_000_000;

/** @param counts by line */
function score(counts: readonly number[]): number {
  const [first] = counts;
  if (first && counts.every((count) => count === first)) return first * inEveryLine;
  return Math.max(0, ...counts.map((count) => count * counts.filter((other) => other === count).length));
}
