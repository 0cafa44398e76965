import { setImmediate as pause } from 'node:timers/promises';

/** Short enough for requests that this thread answers meanwhile. */
const atOnce = 500;

/** One after the other, with pauses in which others have their turn: a file may have a hundred thousand rows. */
export async function* inTurns<T>(items: readonly T[]): AsyncGenerator<T> {
  for (let from = 0; from < items.length; from += atOnce) {
    await pause();
    yield* items.slice(from, from + atOnce);
  }
}
