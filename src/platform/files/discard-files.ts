import type { Storage } from './store/storage.ts';

/** Removes a file that no row refers to. Never fails: the sweep removes what is left. */
export async function discardObject(storage: Storage, key: string | null): Promise<void> {
  if (key === null) return;
  try {
    await storage.remove(key);
  } catch {}
}
