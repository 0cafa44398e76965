// Seeded random numbers (mulberry32): the same seed gives the same sequence.

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  below(below: number): number;
  pick<T>(of: readonly T[]): T;
  /** A shuffled copy. */
  shuffled<T>(of: readonly T[]): T[];
  /** A generator that is independent of how often this one was used. */
  fork(name: string): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (of) => of[below(of.length)]!,
    shuffled(of) {
      const all = [...of];
      for (let at = all.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [all[at], all[other]] = [all[other]!, all[at]!];
      }
      return all;
    },
    fork(name) {
      let hash = seed >>> 0;
      for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
      return createRandom(hash);
    },
  };
}
