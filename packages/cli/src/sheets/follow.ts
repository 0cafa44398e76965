/** Polls a background job and shows its progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import { progressBar } from '../terminal/progress-bar.ts';

const firstWaitMs = 100;
const maxWaitMs = 1_000;

interface JobState {
  status: string;
  progress: { rows_total: number | null; rows_done: number; percent: number };
}

/**
 * @param labels for each status that is not final
 * @param read fetches the current state
 * @returns the final state
 * @throws the signal's reason
 */
export async function follow<T extends JobState>(
  first: T,
  labels: Readonly<Record<string, string>>,
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const bar = progressBar();
  let current = first;
  let waitMs = firstWaitMs;
  try {
    for (let label = labels[current.status]; label !== undefined; label = labels[current.status]) {
      const { percent, rows_done: rowsDone, rows_total: rowsTotal } = current.progress;
      const rows = rowsTotal === null ? '' : ` (${rowsDone} of ${rowsTotal})`;
      bar.update(percent, label + rows);
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      waitMs = Math.min(maxWaitMs, waitMs * 2);
      current = await read(signal);
    }
    return current;
  } finally {
    bar.end();
  }
}
