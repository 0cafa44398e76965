/** The last company used in this browser: the console opens with it. */
import { readStored, writeStored } from './local-storage.ts';

const storageKey = 'console.company';

export function rememberedCompany(): string | null {
  return readStored(storageKey);
}

export function rememberCompany(id: string): void {
  writeStored(storageKey, id);
}
