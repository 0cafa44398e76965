/**
 * Bounds of time that hold on any machine. A number of milliseconds says how fast the machine was, and what else it had to
 * do; so what is to be over soon is compared with something that goes on at the same time and is held up as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const stepMs = 10;

/**
 * @param limitMs of a machine that has nothing else to do: it passes in steps, each of which waits for its turn
 * @throws when `work` is not over by then
 */
export async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
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

/** @returns how long the processor was busy with it, in milliseconds; other processes count for nothing */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** @returns how long it took, in milliseconds: to be compared with another of the same run */
export async function duration(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
