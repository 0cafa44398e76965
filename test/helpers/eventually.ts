/** Retries a check until it passes, or throws its last error on timeout. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes even on a busy machine; only failures wait this long. */
export const timeoutMs = 120_000;

/**
 * Waits longer after each failed attempt, because attempts take CPU time from the awaited work.
 * @param maxDelayMs maximum time between attempts; less for a state that passes by
 */
export async function eventually<T>(attempt: () => T | Promise<T>, maxDelayMs = 80): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let delayMs = Math.min(10, maxDelayMs); ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await sleep(delayMs);
    }
  }
}
