// Order of the contestants per round. Each affects the next, with caches and pending disk writes.

/** Williams design: each contestant takes every position once, and if their number is even, follows every other once. */
export function orderOf<T>(all: readonly T[], round: number): T[] {
  const count = all.length;
  return all.map((_, at) => {
    const zigzag = at % 2 === 0 ? at / 2 : count - (at + 1) / 2;
    return all[(zigzag + round) % count]!;
  });
}
