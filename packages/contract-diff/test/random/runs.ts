// How often a property is tried.

/**
 * CONTRACT_DIFF_RUNS=20000 tries more, CONTRACT_DIFF_SEED the same again.
 *
 * @param usual how often in the tests
 */
export function runs(usual: number): { numRuns: number; seed?: number } {
  const seed = process.env.CONTRACT_DIFF_SEED;
  return {
    numRuns: Number(process.env.CONTRACT_DIFF_RUNS ?? usual),
    ...(seed !== undefined && { seed: Number(seed) }),
  };
}

/** How long that may take on a busy machine, in milliseconds. */
export const timeoutMs = (usual: number): number => Math.max(120_000, 500 * runs(usual).numRuns);
