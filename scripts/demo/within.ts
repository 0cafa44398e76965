/** What takes effect at once: how long it really took. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What the service promises of access that ends or changes. */
export const at_once_ms = 1_000;

/** @returns how long it took, in ms @throws when it is not so within the time */
export async function within(limit_ms: number, what: string, attempt: () => Promise<boolean>): Promise<number> {
  const started_ms = performance.now();
  for (;;) {
    const holds = await attempt();
    const passed_ms = Math.ceil(performance.now() - started_ms);
    if (holds && passed_ms <= limit_ms) return passed_ms;
    if (passed_ms > limit_ms) throw new Error(`${what}: not within ${limit_ms} ms`);
    await sleep(10);
  }
}
