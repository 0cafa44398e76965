/** Progress output: announces each task before it starts. */

/** Runs a task under a label. @param work returns a short result */
export type Progress = (label: string, work: () => Promise<string>) => Promise<void>;

/** Prints one line per task: the label first, then the result and the duration. */
export const printProgress: Progress = async (label, work) => {
  const startedMs = performance.now();
  process.stdout.write(`  ${label} … `);
  try {
    const outcome = await work();
    process.stdout.write(`${outcome} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`);
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
};

export const quiet: Progress = async (_label, work) => {
  await work();
};
