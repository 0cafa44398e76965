// Number and seed of runs per property.

/**
 * CONTRACT_DIFF_RUNS=20000 increases the number of inputs, and CONTRACT_DIFF_SEED=… changes them.
 * @param defaultRuns number of runs by default
 */
export function runs(defaultRuns: number): { numRuns: number; seed: number } {
  const { CONTRACT_DIFF_RUNS = defaultRuns, CONTRACT_DIFF_SEED = 1 } = process.env;
  return { numRuns: Number(CONTRACT_DIFF_RUNS), seed: Number(CONTRACT_DIFF_SEED) };
}

/** Timeout on a busy machine, in milliseconds. */
export const timeoutMs = (defaultRuns: number): number => Math.max(120_000, 500 * runs(defaultRuns).numRuns);
