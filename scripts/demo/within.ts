/** What takes effect at once: how long it really took. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What the service promises of access that ends or changes. */
export const atOnceMs = 1_000;

/** @returns how long it took, in ms @throws when it is not so within the time */
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
