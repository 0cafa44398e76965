/** Keeps the last uploaded file in memory for a recheck with another mapping; the service does not return files. */
import type { ImportOptions } from '../../../api/imports.ts';

interface StoredFile {
  import_id: string;
  file: File;
  options: ImportOptions;
}

let stored: StoredFile | undefined;

export function storeFile(file: StoredFile): void {
  stored = file;
}

/** @returns undefined after a reload, or when another file was uploaded since */
export function storedFileFor(importId: string): StoredFile | undefined {
  return stored?.import_id === importId ? stored : undefined;
}
