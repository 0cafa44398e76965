/** Whether an answer of an S3 store says what such an answer says. Whatever else answers at its address does not. */

import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { GetObjectCommandOutput, HeadObjectCommandOutput, PutObjectCommandOutput } from '@aws-sdk/client-s3';
import type { ByteRange } from '../store/storage.ts';
import { StoreFault } from '../store/store-fault.ts';
import { verifiedContent } from './s3-content.ts';
import { s3Outage } from './s3-errors.ts';
import type { Spooled } from './s3-spool.ts';

/** What is asked of an object. */
export interface Wanted {
  silence_ms: number;
  /** Undefined for all of it. */
  range?: ByteRange;
  /** What the whole has to be; by default what the object itself says. */
  sha256?: string;
}

/** @throws 503 for an answer that is not of an object of this store, or not of the range that was asked for */
export function contentOf(answer: GetObjectCommandOutput, { silence_ms: silenceMs, range, sha256 }: Wanted): Readable {
  const body = answer.Body as Readable;
  const hash = sha256 ?? answer.Metadata?.sha256;
  const wrong =
    answer.ETag === undefined && hash === undefined
      ? 'the store has sent something else than an object'
      : rangeFault(answer, range);
  if (wrong) {
    body.on('error', () => {}).destroy();
    throw s3Outage(new StoreFault(wrong));
  }
  const bytes = range ? lengthOf(range, answer.ContentRange!) : answer.ContentLength;
  return verifiedContent(body, { bytes, sha256: range ? undefined : hash, silence_ms: silenceMs });
}

function rangeFault({ ContentRange }: GetObjectCommandOutput, range: ByteRange | undefined): string | undefined {
  if (!range) return ContentRange === undefined ? undefined : 'the store has sent a part instead of an object';
  const start = /^bytes (\d+)-\d+\//.exec(ContentRange ?? '')?.[1];
  return Number(start) === range.start ? undefined : 'the store has sent another range than it was asked for';
}

/** A range may reach beyond the end of an object, and then has as much as there is. */
function lengthOf({ start, end }: ByteRange, contentRange: string): number {
  const total = Number(/\/(\d+)$/.exec(contentRange)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.min(end + 1, total) - start;
}

/** @throws 503 for an answer without what S3 says of every object */
export function sizeOf({ ETag, ContentLength }: HeadObjectCommandOutput): number {
  if (ETag === undefined || ContentLength === undefined) {
    throw s3Outage(new StoreFault('the store has answered with something else than an object'));
  }
  return ContentLength;
}

/**
 * The ETag of most objects is their MD5; of some, such as those encrypted with a key of KMS, it is not. So another one says
 * only that it has to be looked at what the store keeps.
 * @param read reads what the store keeps now, held against the hash of what was sent
 * @throws 503 when the store does not keep what it was sent
 */
export async function keptAsSent(
  { ETag }: PutObjectCommandOutput,
  { md5 }: Spooled,
  read: () => Promise<Readable | undefined>,
): Promise<void> {
  if (ETag === undefined) throw s3Outage(new StoreFault('the store did not say that it keeps the object'));
  if (ETag.replace(/^W\//, '').replaceAll('"', '') === md5) return;
  const content = await read();
  if (!content) throw s3Outage(new StoreFault('the store does not have what it said it keeps'));
  await finished(content.resume());
}
