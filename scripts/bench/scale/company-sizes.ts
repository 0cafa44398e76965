// How many people each company has: few have many, many have few.

/**
 * The k-th largest has `largest / k ^ s` people, with the s that makes them as many as are wanted.
 * @returns the largest first; the first and the last are measured
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

/** Of the small company that is measured. */
export const small = 200;

function sizesFor(s: number, companies: number, largest: number): number[] {
  return Array.from({ length: companies }, (_, k) => Math.max(1, Math.round(largest / (k + 1) ** s)));
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
