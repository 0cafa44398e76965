/** Removes a file that no row names any more. */
import type { Storage } from './store/storage.ts';

/** Never fails: what can't be removed now is found by the sweep. */
export async function discardObject(storage: Storage, key: string | null): Promise<void> {
  if (key === null) return;
  try {
    await storage.remove(key);
  } catch {}
}
