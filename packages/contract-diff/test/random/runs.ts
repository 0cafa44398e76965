// Number of runs per property.

/** CONTRACT_DIFF_RUNS=20000 increases it, CONTRACT_DIFF_SEED repeats a run. @param usual default number of runs */
export function runs(usual: number): { numRuns: number; seed?: number } {
  const seed = process.env.CONTRACT_DIFF_SEED;
  return {
    numRuns: Number(process.env.CONTRACT_DIFF_RUNS ?? usual),
    ...(seed !== undefined && { seed: Number(seed) }),
  };
}

/** Timeout on a busy machine, in milliseconds. */
export const timeoutMs = (usual: number): number => Math.max(120_000, 500 * runs(usual).numRuns);
