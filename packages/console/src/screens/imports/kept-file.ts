/**
 * The file that was sent last, in the memory of this page: so that it can be read once more with other columns, without being
 * chosen again. The service does not give it back.
 */
import type { ImportOptions } from '../../api/imports.ts';

interface Kept {
  import_id: string;
  file: File;
  options: ImportOptions;
}

let kept: Kept | undefined;

export function keepFile(now: Kept): void {
  kept = now;
}

/** @returns undefined after a reload, and once another file was sent */
export function keptFile(importId: string): Kept | undefined {
  return kept?.import_id === importId ? kept : undefined;
}
