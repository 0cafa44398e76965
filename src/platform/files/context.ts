/** What operations need to keep files and to hand out links to them. */
import { createFileLinks, type FileLinks, type FileLinksConfig } from './links.ts';
import { createLocalStorage } from './local.ts';
import { createS3Storage } from './s3.ts';
import { createScanner, type Scanner, type ScannerConfig } from './scanner.ts';
import type { Storage, StorageConfig } from './storage.ts';

export interface FilesContext {
  storage: Storage;
  links: FileLinks;
  /** None when no scanner is configured. */
  scanner: Scanner | undefined;
}

/** @param base_url public address of the service, without a trailing slash */
export function createFiles(config: StorageConfig & ScannerConfig & FileLinksConfig, base_url: string): FilesContext {
  return { storage: createStorage(config), links: createFileLinks(config, base_url), scanner: createScanner(config) };
}

export function createStorage({ storage, data_dir }: StorageConfig): Storage {
  return storage.kind === 'local' ? createLocalStorage(storage.folder) : createS3Storage(storage, data_dir);
}
