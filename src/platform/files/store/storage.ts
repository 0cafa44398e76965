/**
 * Where files are stored: a folder of this machine, or an S3 bucket. The rest of the code does not know which.
 *
 * A stored file never changes: it is written once, under a random key, then read or removed. The row that names the key
 * is written after the file and removed before it, so every row has its file; files that no row names are removed by
 * `sweep.ts`.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { EncryptionKeys } from '../../secrets/secrets.ts';
import { outage, StoreFault } from './store-fault.ts';

export interface Storage {
  /**
   * Keeps everything that `content` yields, or nothing.
   * @throws what `content` fails with, and 503 when the store can't be reached or does not keep it
   */
  put(key: string, content: Readable): Promise<void>;
  /**
   * What it yields is whole, or ends with an error.
   * @param range first and last byte, both included
   * @throws 404 when there is no such object; 503, as the next ones, when that can't be told now
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Bytes of an object; undefined when there is none. */
  size(key: string): Promise<number | undefined>;
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>;
  /**
   * Everything that is kept, in the order of keys, with what an interrupted `put` left behind.
   * @param after only keys behind this one
   */
  list(after?: string): AsyncIterable<StoredObject>;
  /**
   * Whether it can be used. `writing` also keeps, reads and removes a small object; in a folder, that is always done.
   * @throws 503, whose cause tells the operator what is wrong
   */
  check(how: 'reading' | 'writing'): Promise<void>;
  /** An address at which the store itself answers; undefined where files are to be sent by this service. */
  presign?(key: string, answer: PresignedAnswer): Promise<string>;
}

export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** What the store says about the object when it answers. */
export interface PresignedAnswer {
  media_type: string;
  contentDisposition: string;
  expiresInS: number;
}

/** `imports`: what was uploaded, and the same with its errors. `templates`: files to fill in, which no row names. */
export type FileKind = 'documents' | 'photos' | 'imports' | 'templates' | 'exports';

/** What a storage is made from; the settings have it. */
export interface StorageConfig {
  dataDir: string;
  /** Of the files in a folder: the first encrypts, all decrypt. */
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
  /** Before every key, without a slash at its end; empty for none. */
  prefix: string;
  region: string;
  /** Of a store that is not Amazon's. */
  endpoint: string | undefined;
  /** Whether the bucket stands in the path of an address, rather than in its host name. */
  path_style: boolean;
  /** Without it, the SDK looks for credentials as Amazon's tools do. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Whether clients fetch files from the store, by pre-signed addresses. */
  redirect: boolean;
  /** How long the store may be silent, in milliseconds. */
  silence_ms: number;
}

/**
 * A key that nobody can guess. The company comes first, so that one company's objects lie together; two characters of
 * the random part keep folders small.
 */
export function newKey(companyId: string, kind: FileKind): string {
  const random = randomBytes(20).toString('hex');
  return `${companyId}/${kind}/${random.slice(0, 2)}/${random}`;
}

/** The parts of a key that `newKey` made; undefined for anything else that lies in a store. */
export function partsOfKey(key: string): { company_id: string; kind: FileKind } | undefined {
  const match = /^([0-9a-f-]{36})\/(documents|photos|imports|templates|exports)\/[0-9a-f]{2}\/[0-9a-f]{40}$/.exec(key);
  return match ? { company_id: match[1]!, kind: match[2] as FileKind } : undefined;
}

/** Of the object that says to which database the store belongs (`store-mark.ts`): never encrypted, listed or swept. */
export const markKey = '.installation';

/** Where a storage writes what has no key yet; what stays there was interrupted. */
export const unfinishedFolder = '.unfinished';

/** Whether a listed key is of an interrupted `put`. */
export function isUnfinished(key: string): boolean {
  return key.startsWith(`${unfinishedFolder}/`);
}

/** Keeps, reads and removes a small object; should it stay, the sweep removes it. */
export async function tryOut({ put, read, remove }: Pick<Storage, 'put' | 'read' | 'remove'>): Promise<void> {
  const key = `${unfinishedFolder}/${randomBytes(16).toString('hex')}`;
  const content = randomBytes(32);
  await put(key, Readable.from([content], { objectMode: false }));
  if (!content.equals(await buffer(await read(key)))) throw outage(new StoreFault('it gives back other bytes'));
  await remove(key);
}

/** Of the system, for a disk that is full, read-only, broken, or a file server that is gone. */
const diskCodes = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'],
  ...['ESTALE', 'ENODEV', 'ENXIO', 'ENOTCONN', 'EHOSTDOWN', 'ENOTDIR', 'EMFILE', 'ENFILE'],
]);

/** That is an outage: the same upload succeeds when there is space again. */
export function diskFault(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && diskCodes.has(code) ? outage(error) : error;
}
