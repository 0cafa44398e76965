// Number and seed of runs per property.

/** CONTRACT_DIFF_RUNS=20000 tries more inputs, CONTRACT_DIFF_SEED=… others. @param usual default number of runs */
export function runs(usual: number): { numRuns: number; seed: number } {
  const { CONTRACT_DIFF_RUNS = usual, CONTRACT_DIFF_SEED = 1 } = process.env;
  return { numRuns: Number(CONTRACT_DIFF_RUNS), seed: Number(CONTRACT_DIFF_SEED) };
}

/** Timeout on a busy machine, in milliseconds. */
export const timeoutMs = (usual: number): number => Math.max(120_000, 500 * runs(usual).numRuns);
