/** Keeps the last uploaded file in memory for a recheck with another mapping; the service does not return files. */
import type { ImportOptions } from '../../../api/imports.ts';

interface Kept {
  import_id: string;
  file: File;
  options: ImportOptions;
}

let kept: Kept | undefined;

export function storeFile(now: Kept): void {
  kept = now;
}

/** @returns undefined after a reload, or when another file was uploaded since */
export function keptFile(importId: string): Kept | undefined {
  return kept?.import_id === importId ? kept : undefined;
}
