/** Where tests store files: in a temporary folder, or, with TEST_STORAGE_URL, under a random prefix in that store. */
import { randomBytes } from 'node:crypto';

/** `make proof NAME=store` sets it. */
export const externalStore = process.env.TEST_STORAGE_URL || undefined;

/** @returns a unique STORAGE_URL in the given store; the owner of the store removes its content */
export function uniqueStoreUrl(store: string): string {
  const [base, query] = store.split('?', 2) as [string, string | undefined];
  return `${base}/${randomBytes(6).toString('hex')}${query === undefined ? '' : `?${query}`}`;
}
