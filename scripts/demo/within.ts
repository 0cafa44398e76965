/** Measures how fast an immediate effect takes place. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The service's promise for changed or revoked access. */
export const atOnceMs = 1_000;

/** @returns the duration in ms @throws when the condition is not met in time */
export async function within(limitMs: number, what: string, attempt: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const holds = await attempt();
    const passedMs = Math.ceil(performance.now() - startedMs);
    if (holds && passedMs <= limitMs) return passedMs;
    if (passedMs > limitMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(10);
  }
}
