// Distribution of company sizes: a few are large, most are small.

/**
 * The k-th largest company has `largest / k ^ s` people, with s chosen to reach the wanted total.
 * @returns sizes in descending order; the first and last companies are measured
 */
export function companySizes(people: number, companies: number, largest: number): number[] {
  let [low, high] = [0, 4];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (sum(sizesFor(middle, companies, largest)) > people) low = middle;
    else high = middle;
  }
  const sizes = sizesFor(high, companies, largest);
  sizes[companies - 1] = small;
  return sizes;
}

/** Size of the small company that is measured. */
export const small = 200;

function sizesFor(s: number, companies: number, largest: number): number[] {
  return Array.from({ length: companies }, (_, k) => Math.max(1, Math.round(largest / (k + 1) ** s)));
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
