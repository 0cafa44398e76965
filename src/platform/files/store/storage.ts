/**
 * The interface of file stores: a folder of this machine, or an S3 bucket.
 *
 * A stored file never changes: it is written once, under a random key, then read or removed. The row is written after the file
 * and removed before it, so every row has its file; `sweep.ts` removes files without a row.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { EncryptionKeys } from '../../secrets/secrets.ts';
import { outage, StoreError } from './store-error.ts';

export interface Storage {
  /** Stores everything from `content`, or nothing. @throws errors of `content`, and 503 when the store fails */
  put(key: string, content: Readable): Promise<void>;
  /**
   * The stream is complete, or ends with an error.
   * @param range first and last byte, both inclusive
   * @throws 404 when the object doesn't exist; 503 when the store can't say, as all methods below
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** The size in bytes; undefined when the object doesn't exist. */
  size(key: string): Promise<number | undefined>;
  /** Removing a missing object succeeds. */
  remove(key: string): Promise<void>;
  /** All objects with a key greater than `after`, in key order, including those of an interrupted `put`. */
  list(after?: string): AsyncIterable<StoredObject>;
  /** `writing` also stores, reads, and removes a small object. @throws 503, whose cause explains the problem to the operator */
  check(mode: 'reading' | 'writing'): Promise<void>;
  /** A URL for fetching from the store directly; undefined where this service sends the files. */
  presign?(key: string, headers: PresignedHeaders): Promise<string>;
}

export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** Headers of the store's response. */
export interface PresignedHeaders {
  media_type: string;
  contentDisposition: string;
  expiresInS: number;
}

/** `imports`: uploads and their error reports. `templates`: import templates, without rows. */
export type FileKind = 'documents' | 'photos' | 'imports' | 'templates' | 'exports';

export interface StorageConfig {
  dataDir: string;
  /** For files in a folder: the first encrypts, all decrypt. */
  encryption_keys: EncryptionKeys;
  /** Whether new files in a folder are encrypted. */
  encryptsFiles: boolean;
  storage: LocalSettings | S3Settings;
}

export interface LocalSettings {
  kind: 'local';
  folder: string;
}

export interface S3Settings {
  kind: 's3';
  bucket: string;
  /** Prepended to every key, without a trailing slash; may be empty. */
  prefix: string;
  region: string;
  /** For a store other than Amazon's. */
  endpoint: string | undefined;
  /** Whether the bucket is in the URL's path rather than its host name. */
  path_style: boolean;
  /** Default: the SDK's credential chain. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Whether clients fetch files from the store with presigned URLs. */
  redirect: boolean;
  silence_ms: number;
}

/** An unguessable key. The company comes first, to group its objects; two characters of the random part keep folders small. */
export function newKey(companyId: string, kind: FileKind): string {
  const random = randomBytes(20).toString('hex');
  return `${companyId}/${kind}/${random.slice(0, 2)}/${random}`;
}

/** The parts of a key from `newKey`; undefined for any other key. */
export function partsOfKey(key: string): { company_id: string; kind: FileKind } | undefined {
  const match = /^([0-9a-f-]{36})\/(documents|photos|imports|templates|exports)\/[0-9a-f]{2}\/[0-9a-f]{40}$/.exec(key);
  return match ? { company_id: match[1]!, kind: match[2] as FileKind } : undefined;
}

/** The object that binds the store to its database (`store-mark.ts`): never encrypted, listed, or swept. */
export const markKey = '.installation';

/** For objects being written; what stays there was interrupted. */
export const unfinishedFolder = '.unfinished';

export function isUnfinished(key: string): boolean {
  return key.startsWith(`${unfinishedFolder}/`);
}

/** Stores, reads, and removes a small object; the sweep removes it if this fails. */
export async function selfTest({ put, read, remove }: Pick<Storage, 'put' | 'read' | 'remove'>): Promise<void> {
  const key = `${unfinishedFolder}/${randomBytes(16).toString('hex')}`;
  const content = randomBytes(32);
  await put(key, Readable.from([content], { objectMode: false }));
  if (!content.equals(await buffer(await read(key)))) throw outage(new StoreError('it returns different bytes'));
  await remove(key);
}

/** System errors of a disk that is full, read-only, or broken, or a file server that is gone. */
const diskCodes = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'],
  ...['ESTALE', 'ENODEV', 'ENXIO', 'ENOTCONN', 'EHOSTDOWN', 'ENOTDIR', 'EMFILE', 'ENFILE'],
]);

/** These are outages: the same upload succeeds once there is space again. */
export function diskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && diskCodes.has(code) ? outage(error) : error;
}
