/** Wires up the file store, the links to files, and the virus scanner. */

import { createScanner, type Scanner, type ScannerConfig } from './inspect/scanner.ts';
import { createFileLinks, type FileLinks, type FileLinksConfig } from './links.ts';
import { createS3Storage } from './s3/s3.ts';
import { type EncryptedStorage, encryptedStorage } from './store/encrypted.ts';
import { createLocalStorage } from './store/local.ts';
import type { Storage, StorageConfig } from './store/storage.ts';

export interface FilesContext {
  storage: Storage;
  links: FileLinks;
  scanner: Scanner | undefined;
}

/** @param baseUrl without a trailing slash @param storage default: a new one from the settings */
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

/** @returns undefined if files are in a bucket, which has its own encryption */
export function createFolder({
  storage,
  encryption_keys: encryptionKeys,
  encryptsFiles,
}: StorageConfig): EncryptedStorage | undefined {
  if (storage.kind !== 'local') return undefined;
  return encryptedStorage(createLocalStorage(storage.folder), encryptionKeys, encryptsFiles);
}
