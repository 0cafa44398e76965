/** Retries a check until it passes, or throws its last error on timeout. */
import { setTimeout as sleep } from 'node:timers/promises';

const betweenMs = 10;
/** Far longer than anything takes even on a busy machine; only failures wait this long. */
const patienceMs = 120_000;

export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await sleep(betweenMs);
    }
  }
}
