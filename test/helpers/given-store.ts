/** Where tests keep files: in a folder of their own, or, with TEST_STORAGE_URL, in a place of their own in a store that is given. */
import { randomBytes } from 'node:crypto';

/** Undefined where none is given: `make proof NAME=store` sets it. */
export const givenStore = process.env.TEST_STORAGE_URL || undefined;

/** @returns a STORAGE_URL below the given store that nobody else has; whoever gave it removes what is in it */
export function placeInGivenStore(store: string): string {
  const [place, query] = store.split('?', 2) as [string, string | undefined];
  return `${place}/${randomBytes(6).toString('hex')}${query === undefined ? '' : `?${query}`}`;
}
