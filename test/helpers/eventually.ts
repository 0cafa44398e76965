/** Waiting for what happens elsewhere: tries again until it holds, or shows why it does not. */
import { setTimeout as sleep } from 'node:timers/promises';

const betweenMs = 10;
/** Far more than anything takes, on a busy machine as well; it is waited for only where something is wrong. */
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
