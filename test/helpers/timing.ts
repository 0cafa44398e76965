/**
 * Time limits that hold on any machine. Wall-clock limits depend on the machine and its load, so compare with something
 * that runs concurrently and is slowed down as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const stepMs = 10;

/**
 * @param limitMs limit on an idle machine; counted in steps, which a busy machine slows down too
 * @throws if `work` takes longer
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    for (let passedMs = 0; passedMs < limitMs; passedMs += stepMs) await sleep(stepMs, undefined, over);
    throw new Error(`not over after ${limitMs} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    over.abort();
  }
}

/** @returns CPU time of this process, in milliseconds */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** @returns wall-clock time in milliseconds, to compare with another measurement of the same run */
export async function duration(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
