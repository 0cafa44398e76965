// Who goes when. What one leaves behind (caches, writes that still wait for the disk) is found by the next.

/**
 * An order for each round, as of E. J. Williams' design: over as many rounds as there are of them, everyone takes each place
 * once, and, when their number is even, follows everyone else once.
 */
export function orderOf<T>(all: readonly T[], round: number): T[] {
  const count = all.length;
  return all.map((_, at) => {
    const zigzag = at % 2 === 0 ? at / 2 : count - (at + 1) / 2;
    return all[(zigzag + round) % count]!;
  });
}
