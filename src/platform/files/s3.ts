/**
 * Files in an S3 bucket: Amazon, MinIO, Ceph, R2 and others. The SDK is large and is loaded with the first file, so it
 * costs nothing when files are in a folder.
 *
 * S3 needs length and hash of an object before its first byte. So an upload passes through a temporary file that is
 * already unlinked: memory stays flat, a broken upload never reaches the bucket, and a crash leaves nothing behind.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { notFound, serviceUnavailable } from '../../contract/problem.ts';
import { makeFolder } from './make-folder.ts';
import { type ByteRange, diskFault, type PresignedAnswer, type S3Settings, type Storage } from './storage.ts';

const connect_timeout_ms = 5_000;
const request_timeout_ms = 30_000;
const sockets = 200;
const chunk_bytes = 65_536;

/** What fails is thrown, and logged where it is caught; the SDK would write to the console. */
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** @param data_dir where uploads pass through */
export function createS3Storage(settings: S3Settings, data_dir: string): Storage {
  const { bucket: Bucket, prefix, redirect } = settings;
  const before = prefix ? `${prefix}/` : '';
  const at = (key: string) => ({ Bucket, Key: before + key });
  let opened: Promise<Opened> | undefined;
  const store = () => {
    opened ??= openStore(settings);
    return opened;
  };
  return {
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read, and is then heard of by reading it
      const spool = await openSpool(data_dir).catch(unwritable);
      try {
        const { size, sha256 } = await fill(spool, content).catch(unwritable);
        const { sdk, client } = await store();
        const body = bytesOf(spool);
        const command = new sdk.PutObjectCommand({ ...at(key), Body: body, ContentLength: size });
        // The hash is part of what is signed: the store refuses an object that was changed on the way.
        command.middlewareStack.add(
          (next) => (args) => {
            (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
            return next(args);
          },
          { step: 'build', name: 'contentHash' },
        );
        await client
          .send(command)
          .catch(unavailable)
          .finally(() => ended(body));
      } finally {
        await spool.close();
      }
    },
    async read(key, range) {
      const { sdk, client } = await store();
      const command = new sdk.GetObjectCommand({ ...at(key), ...(range && { Range: rangeHeader(range) }) });
      const answer = await client.send(command).catch(orMissing);
      if (!answer) throw notFound();
      return (answer.Body as Readable).on('error', () => {}); // whoever reads it hears of it, which may be later
    },
    async size(key) {
      const { sdk, client } = await store();
      const answer = await client.send(new sdk.HeadObjectCommand(at(key))).catch(orMissing);
      return answer?.ContentLength;
    },
    async remove(key) {
      const { sdk, client } = await store();
      await client.send(new sdk.DeleteObjectCommand(at(key))).catch(orMissing);
    },
    async *list(after) {
      const { sdk, client } = await store();
      let StartAfter = after === undefined ? undefined : before + after;
      for (;;) {
        const page = await client
          .send(new sdk.ListObjectsV2Command({ Bucket, Prefix: before, ...(StartAfter && { StartAfter }) }))
          .catch(unavailable);
        for (const { Key, LastModified } of page.Contents ?? []) {
          StartAfter = Key;
          yield { key: Key!.slice(before.length), modified_at: LastModified! };
        }
        if (!page.IsTruncated) return;
      }
    },
    ...(redirect && {
      async presign(key: string, { media_type, content_disposition, expires_in_s }: PresignedAnswer) {
        const { sdk, client } = await store();
        const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
        const command = new sdk.GetObjectCommand({
          ...at(key),
          ResponseContentType: media_type,
          ResponseContentDisposition: content_disposition,
          ResponseCacheControl: `private, max-age=${expires_in_s}`,
        });
        return getSignedUrl(client, command, { expiresIn: expires_in_s });
      },
    }),
  };
}

interface Opened {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
}

async function openStore({ region, endpoint, path_style, credentials }: S3Settings): Promise<Opened> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint }),
    forcePathStyle: path_style,
    logger: quiet,
    ...(credentials && {
      credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
    }),
    // Trailing checksums are Amazon's own; other stores refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connect_timeout_ms,
      requestTimeout: request_timeout_ms,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: sockets },
      httpsAgent: { maxSockets: sockets },
    },
  });
  return { sdk, client };
}

/** A file without a name: it is gone when it is closed, or when the process ends in whatever way. */
async function openSpool(data_dir: string): Promise<FileHandle> {
  const folder = join(data_dir, 'spool');
  await makeFolder(folder, 0o700);
  const path = join(folder, randomBytes(16).toString('hex'));
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

async function fill(spool: FileHandle, content: Readable): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    await spool.appendFile(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Of the file from its beginning. It stays open: streams of node's own would close it, or keep it from closing. */
function bytesOf(spool: FileHandle): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; ; ) {
        const { buffer, bytesRead } = await spool.read(Buffer.allocUnsafe(chunk_bytes), 0, chunk_bytes, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    })(),
    { objectMode: false },
  );
}

/** Waits until nothing is read any more. */
async function ended(body: Readable): Promise<void> {
  if (body.closed) return;
  const closed = new Promise((resolve) => body.once('close', resolve));
  body.on('error', () => {}).destroy();
  await closed;
}

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end}`;
}

/** @throws 503, unless the store says that there is no such object */
function orMissing(error: { $metadata?: { httpStatusCode?: number } }): undefined {
  if (error.$metadata?.httpStatusCode !== 404) unavailable(error);
}

/** @throws 503 when the disk that uploads pass through takes nothing */
function unwritable(error: unknown): never {
  throw diskFault(error);
}

function unavailable(error: unknown): never {
  throw serviceUnavailable(withoutAnswer(error));
}

/** What a store says may repeat what it was sent, which is somebody's file: its code and its status are enough. */
function withoutAnswer(error: unknown): unknown {
  const { name, code, $metadata } = error as { name?: string; code?: unknown; $metadata?: { httpStatusCode?: number } };
  const is_of_connection = typeof code === 'string' && /^E[A-Z_]+$/.test(code);
  if (is_of_connection || name === 'TimeoutError') return error;
  const status = $metadata?.httpStatusCode ?? 0;
  const reason = name && /^[A-Za-z]{1,64}$/.test(name) ? name : 'an error';
  return Object.assign(new Error(`the store answered ${status} with ${reason}`), { name: 'StoreError', status });
}
