/** Waits for something that the service does in the background, and shows its progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import { progressBar } from '../terminal/progress-bar.ts';

const first_wait_ms = 100;
const longest_wait_ms = 1_000;

interface Followed {
  status: string;
  progress: { rows_total: number | null; rows_done: number; percent: number };
}

/**
 * @param labels what each status means that is not an end
 * @param read how it is now
 * @returns how it is in the end
 * @throws the signal's reason
 */
export async function follow<T extends Followed>(
  first: T,
  labels: Readonly<Record<string, string>>,
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const bar = progressBar();
  let now = first;
  let wait_ms = first_wait_ms;
  try {
    for (let label = labels[now.status]; label !== undefined; label = labels[now.status]) {
      const { percent, rows_done, rows_total } = now.progress;
      const rows = rows_total === null ? '' : ` (${rows_done} of ${rows_total})`;
      bar.update(percent, label + rows);
      await sleep(wait_ms, undefined, { signal }).catch(() => signal.throwIfAborted());
      wait_ms = Math.min(longest_wait_ms, wait_ms * 2);
      now = await read(signal);
    }
    return now;
  } finally {
    bar.end();
  }
}
