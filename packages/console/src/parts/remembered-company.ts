/** The last company used in this browser: the console opens with it. */
import { readStored, writeStored } from './local-storage.ts';

const kept = 'console.company';

export function rememberedCompany(): string | null {
  return readStored(kept);
}

export function rememberCompany(id: string): void {
  writeStored(kept, id);
}
