/** The Damerau–Levenshtein distance; any number above `maxDistance` if it exceeds that. */
export function editDistance(a: string, b: string, maxDistance: number): number {
  if (a === b) return 0;
  if (maxDistance === 0 || Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let lowest = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        lowest = Math.min(lowest, before[j - 2]! + 1);
      next.push(lowest);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
