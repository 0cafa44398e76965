/** Tells a person at a terminal what is being done, before it is done, so that nobody wonders. */

/**
 * Runs one piece of work under a label.
 * @param work returns what came out of it, in a few words
 */
export type Progress = (label: string, work: () => Promise<string>) => Promise<void>;

/** One line for each piece of work: its label at once, what came out and how long it took afterwards. */
export const tell: Progress = async (label, work) => {
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
