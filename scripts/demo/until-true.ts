/** Measures how fast an immediate effect takes place. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any effect takes, also on a busy machine: the demo prints the duration. */
const limitMs = 60_000;

/** @returns the duration in ms @throws when the condition is never met */
export async function untilTrue(label: string, attempt: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const holds = await attempt();
    const elapsedMs = Math.ceil(performance.now() - startedMs);
    if (holds) return elapsedMs;
    if (elapsedMs > limitMs) throw new Error(`${label}: not within ${limitMs / 1000} s`);
    await sleep(10);
  }
}
