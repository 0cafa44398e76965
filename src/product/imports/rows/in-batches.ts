import { setImmediate as pause } from 'node:timers/promises';

/** Short enough that requests on this thread aren't delayed. */
const atOnce = 500;

/** Yields to the event loop between batches: a file may have 100,000 rows. */
export async function* inBatches<T>(items: readonly T[]): AsyncGenerator<T> {
  for (let from = 0; from < items.length; from += atOnce) {
    await pause();
    yield* items.slice(from, from + atOnce);
  }
}
