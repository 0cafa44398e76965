/** What operations need to keep files and to hand out links to them. */

import { createScanner, type Scanner, type ScannerConfig } from './inspect/scanner.ts';
import { createFileLinks, type FileLinks, type FileLinksConfig } from './links.ts';
import { createS3Storage } from './s3/s3.ts';
import { type EncryptedStorage, encryptedStorage } from './store/encrypted.ts';
import { createLocalStorage } from './store/local.ts';
import type { Storage, StorageConfig } from './store/storage.ts';

export interface FilesContext {
  storage: Storage;
  links: FileLinks;
  /** None when no scanner is configured. */
  scanner: Scanner | undefined;
}

/**
 * @param base_url public address of the service, without a trailing slash
 * @param storage by default a new one, as the settings have it
 */
export function createFiles(
  config: StorageConfig & ScannerConfig & FileLinksConfig,
  baseUrl: string,
  storage: Storage = createStorage(config),
): FilesContext {
  return { storage, links: createFileLinks(config, baseUrl), scanner: createScanner(config) };
}

export function createStorage(config: StorageConfig): Storage {
  const { storage, dataDir } = config;
  return storage.kind === 'local' ? createFolder(config)! : createS3Storage(storage, dataDir);
}

/** @returns undefined when files are in a bucket, which encrypts them itself */
export function createFolder({
  storage,
  encryption_keys: encryptionKeys,
  encryptsFiles,
}: StorageConfig): EncryptedStorage | undefined {
  if (storage.kind !== 'local') return undefined;
  return encryptedStorage(createLocalStorage(storage.folder), encryptionKeys, encryptsFiles);
}
