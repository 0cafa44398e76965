/** Waiting for what happens elsewhere: tries again until it holds, or shows why it does not. */
import { setTimeout as sleep } from 'node:timers/promises';

const between_ms = 10;
/** Far more than anything takes, on a busy machine as well; it is waited for only where something is wrong. */
const patience_ms = 120_000;
/** What a machine that has nothing else to do gets through in about a second. */
const tries_a_second = 100;

export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience_ms;
  return tryAgain(attempt, () => performance.now() < deadline);
}

/**
 * For what has to be so within a second. It is counted in tries and not by the clock, so that a busy machine gets as many:
 * each asks what is asked about, and takes as much longer as that does.
 */
export async function withinSecond<T>(attempt: () => T | Promise<T>): Promise<T> {
  let tries = 0;
  return tryAgain(attempt, () => ++tries < tries_a_second);
}

async function tryAgain<T>(attempt: () => T | Promise<T>, more: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!more()) throw error;
      await sleep(between_ms);
    }
  }
}
