/** Measures how fast an immediate effect takes place. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The service's promise for changed or revoked access. */
export const accessChangeLimitMs = 1_000;

/** @returns the duration in ms @throws when the condition is not met in time */
export async function within(limitMs: number, label: string, attempt: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const holds = await attempt();
    const elapsedMs = Math.ceil(performance.now() - startedMs);
    if (holds && elapsedMs <= limitMs) return elapsedMs;
    if (elapsedMs > limitMs) throw new Error(`${label}: not within ${limitMs} ms`);
    await sleep(10);
  }
}
