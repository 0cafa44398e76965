/**
 * Files in an S3 bucket: Amazon, MinIO, Ceph, R2, and others.
 *
 * S3 needs length and hash of an object before its first byte, so uploads are spooled to an unlinked temporary file: memory stays
 * flat, a broken upload never reaches the bucket, and a crash leaves nothing behind.
 *
 * Responses are verified (`s3-answers.ts`): content against the hash stored with each object, and a missing object only counts as
 * missing if its bucket exists.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { notFound } from '../../../contract/problem.ts';
import {
  type ByteRange,
  diskError,
  type PresignedHeaders,
  type S3Settings,
  type Storage,
  type StoredObject,
  selfTest,
} from '../store/storage.ts';
import { StoreError } from '../store/store-error.ts';
import { connectToS3, type S3Connection } from './s3-client.ts';
import { isNoSuchKey, isNotFound, s3Outage } from './s3-errors.ts';
import { contentOf, type ExpectedContent, sizeOf, verifyStored } from './s3-responses.ts';
import { bytesOfSpool, openSpool, type Spooled, spoolRead, writeSpool } from './s3-spool.ts';

/** @param dataDir the folder for spooled uploads */
export function createS3Storage(settings: S3Settings, dataDir: string): Storage {
  let opened: Promise<S3Connection> | undefined;
  const store = () => {
    opened ??= connectToS3(settings);
    return opened;
  };
  const bucket = objectsOf(settings, store);
  const storage: Storage = {
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read; reading reports it
      const spool = await openSpool(dataDir).catch(unwritable);
      try {
        await bucket.put(key, spool, await writeSpool(spool, content).catch(unwritable));
      } finally {
        await spool.close();
      }
    },
    async read(key, range) {
      const content = await bucket.read(key, range);
      if (!content) throw notFound();
      return content;
    },
    size: bucket.size,
    async remove(key) {
      if (!(await bucket.remove(key)) && (await bucket.size(key)) !== undefined) {
        throw s3Outage(new StoreError('the store still has a deleted object'));
      }
    },
    list: bucket.list,
    async check(mode) {
      await bucket.page({ MaxKeys: 1 });
      if (mode === 'writing') await selfTest(storage);
    },
    ...(settings.redirect && { presign: presigner(settings, store) }),
  };
  return storage;
}

function keyWithin({ bucket: Bucket, prefix }: S3Settings) {
  const before = prefix ? `${prefix}/` : '';
  return { Bucket, before, at: (key: string) => ({ Bucket, Key: before + key }) };
}

function objectsOf(settings: S3Settings, store: () => Promise<S3Connection>) {
  const { Bucket, before, at } = keyWithin(settings);
  const { silence_ms: silenceMs } = settings;

  /** @throws 503 when the response isn't a list of the bucket */
  const page = async (input: { Prefix?: string; StartAfter?: string; MaxKeys?: number }) => {
    const { sdk, client, sendRequest } = await store();
    const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: before, ...input });
    const response = await sendRequest(({ signal }) => client.send(command, { abortSignal: signal })).catch(refused);
    if (response.IsTruncated === undefined) throw s3Outage(new StoreError('the store did not return a list'));
    return response;
  };

  /** A 404 may be about the bucket, or come from a proxy: then the list decides whether the object exists. */
  const missing = async (key: string, error: object): Promise<undefined> => {
    if (!isNotFound(error)) return refused(error);
    if (isNoSuchKey(error)) return undefined;
    const { Contents = [] } = await page({ Prefix: before + key, MaxKeys: 1 });
    if (Contents.some(({ Key }) => Key === before + key)) {
      throw s3Outage(new StoreError('the store lists an object that it then reports missing'));
    }
    return undefined;
  };

  const read = async (key: string, expected: ExpectedContent): Promise<Readable | undefined> => {
    const { sdk, client, sendRequest } = await store();
    const { range } = expected;
    const command = new sdk.GetObjectCommand({ ...at(key), ...(range && { Range: rangeHeader(range) }) });
    const response = await sendRequest(({ signal }) => client.send(command, { abortSignal: signal })).catch((error) =>
      missing(key, error),
    );
    return response && contentOf(response, expected);
  };

  return {
    page,
    async put(key: string, spool: FileHandle, spooled: Spooled): Promise<void> {
      const { sdk, client, sendRequest } = await store();
      const response = await sendRequest(async ({ signal, moved }) => {
        const body = bytesOfSpool(spool, moved);
        const { size: ContentLength, sha256 } = spooled;
        const command = new sdk.PutObjectCommand({ ...at(key), Body: body, ContentLength, Metadata: { sha256 } });
        // The hash is part of the signature: the store rejects an object that was altered on the way.
        command.middlewareStack.add(
          (next) => (args) => {
            (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
            return next(args);
          },
          { step: 'build', name: 'contentHash' },
        );
        return client.send(command, { abortSignal: signal }).finally(() => spoolRead(body));
      }).catch(refused);
      const reread = () => read(key, { silence_ms: silenceMs, sha256: spooled.sha256 });
      await verifyStored(response, spooled, reread);
    },
    read: (key: string, range?: ByteRange) => read(key, { silence_ms: silenceMs, ...(range && { range }) }),
    async size(key: string): Promise<number | undefined> {
      const { sdk, client, sendRequest } = await store();
      const command = new sdk.HeadObjectCommand(at(key));
      const response = await sendRequest(({ signal }) => client.send(command, { abortSignal: signal })).catch((error) =>
        missing(key, error),
      );
      return response && sizeOf(response);
    },
    /** @returns whether the store confirms that the object is removed or never existed */
    async remove(key: string): Promise<boolean> {
      const { sdk, client, sendRequest } = await store();
      const command = new sdk.DeleteObjectCommand(at(key));
      const response = await sendRequest(({ signal }) => client.send(command, { abortSignal: signal })).catch((error) =>
        missing(key, error),
      );
      return response === undefined || response.$metadata.httpStatusCode === 204;
    },
    async *list(after?: string): AsyncIterable<StoredObject> {
      let StartAfter = after === undefined ? undefined : before + after;
      for (;;) {
        const { Contents = [], IsTruncated } = await page(StartAfter === undefined ? {} : { StartAfter });
        for (const { Key, LastModified } of Contents) {
          if (Key === undefined || !LastModified || Key === StartAfter || !Key.startsWith(before)) throw unordered();
          StartAfter = Key;
          yield { key: Key.slice(before.length), modifiedAt: LastModified };
        }
        if (!IsTruncated) return;
        if (Contents.length === 0) throw unordered();
      }
    },
  };
}

/** Without support for `start-after`, listing would never end. */
function unordered() {
  return s3Outage(new StoreError('the store does not list objects as S3 does'));
}

function presigner(settings: S3Settings, store: () => Promise<S3Connection>) {
  const { at } = keyWithin(settings);
  return async (
    key: string,
    { media_type: mediaType, contentDisposition, expiresInS }: PresignedHeaders,
  ): Promise<string> => {
    const { sdk, client } = await store();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const command = new sdk.GetObjectCommand({
      ...at(key),
      ResponseContentType: mediaType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: `private, max-age=${expiresInS}`,
    });
    return getSignedUrl(client, command, { expiresIn: expiresInS });
  };
}

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end}`;
}

/** @throws 503 when the spool's disk refuses writes */
function unwritable(error: unknown): never {
  throw diskError(error);
}

function refused(error: unknown): never {
  throw s3Outage(error);
}
