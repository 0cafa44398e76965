/** Validates responses of an S3 store, because another server may respond at its address. */

import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { GetObjectCommandOutput, HeadObjectCommandOutput, PutObjectCommandOutput } from '@aws-sdk/client-s3';
import type { ByteRange } from '../store/storage.ts';
import { StoreError } from '../store/store-error.ts';
import { verifiedContent } from './s3-content.ts';
import { s3Outage } from './s3-errors.ts';
import type { Spooled } from './s3-spool.ts';

export interface ExpectedContent {
  silence_ms: number;
  /** Undefined for the whole object. */
  range?: ByteRange;
  /** The expected hash; default: the one in the object's metadata. */
  sha256?: string;
}

/** @throws 503 if the response isn't an object, or another range than requested */
export function contentOf(
  response: GetObjectCommandOutput,
  { silence_ms: silenceMs, range, sha256 }: ExpectedContent,
): Readable {
  const body = response.Body as Readable;
  const hash = sha256 ?? response.Metadata?.sha256;
  const problem =
    response.ETag === undefined && hash === undefined
      ? 'the store did not return an object'
      : rangeError(response, range);
  if (problem) {
    body.on('error', () => {}).destroy();
    throw s3Outage(new StoreError(problem));
  }
  const bytes = range ? lengthOf(range, response.ContentRange!) : response.ContentLength;
  return verifiedContent(body, { bytes, sha256: range ? undefined : hash, silence_ms: silenceMs });
}

function rangeError({ ContentRange }: GetObjectCommandOutput, range: ByteRange | undefined): string | undefined {
  if (!range) return ContentRange === undefined ? undefined : 'the store returned a part instead of the object';
  const start = /^bytes (\d+)-\d+\//.exec(ContentRange ?? '')?.[1];
  return Number(start) === range.start ? undefined : 'the store returned a different range than requested';
}

/** A range that exceeds the object ends with it. */
function lengthOf({ start, end }: ByteRange, contentRange: string): number {
  const total = Number(/\/(\d+)$/.exec(contentRange)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.min(end + 1, total) - start;
}

/** @throws 503 if the response lacks what S3 returns for every object */
export function sizeOf({ ETag, ContentLength }: HeadObjectCommandOutput): number {
  if (ETag === undefined || ContentLength === undefined) {
    throw s3Outage(new StoreError('the store did not return an object'));
  }
  return ContentLength;
}

/**
 * If the ETag isn't the MD5, as with KMS encryption, the stored object is read and verified.
 * @throws 503 if the store doesn't have what was sent
 */
export async function verifyStored(
  { ETag }: PutObjectCommandOutput,
  { md5 }: Spooled,
  read: () => Promise<Readable | undefined>,
): Promise<void> {
  if (ETag === undefined) throw s3Outage(new StoreError('the store did not confirm the upload'));
  if (ETag.replace(/^W\//, '').replaceAll('"', '') === md5) return;
  const content = await read();
  if (!content) throw s3Outage(new StoreError('the store lacks an object that it confirmed'));
  await finished(content.resume());
}
