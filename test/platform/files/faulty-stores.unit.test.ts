/** Slow, silent, full, or inconsistent stores: no part is taken for the whole, and no failure for success. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { errorOf } from '../../../src/platform/files/store/store-error.ts';
import { startProblem } from '../../../src/platform/process/start-problem.ts';
import { type FaultName, slowly } from '../../helpers/network/s3-faults.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { testSettings } from '../../helpers/settings.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const content = randomBytes(300_000);
/** Long enough for immediate responses on a busy machine. */
const timeoutSetting = '1000';
let folder: string;
let peer: S3Peer;
let storage: Storage;
let key: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faulty-'));
  peer = await startS3();
  storage = open(peer.url());
  key = newKey(companyId, 'documents');
});
afterEach(async () => {
  await peer.close();
  await rm(folder, { recursive: true, force: true });
});

function open(STORAGE_URL: string, STORAGE_TIMEOUT_MS = timeoutSetting): Storage {
  return createStorage(readConfig({ ...testSettings, DATA_DIR: folder, STORAGE_URL, STORAGE_TIMEOUT_MS }));
}
/** The setup of a test may take as long as a busy machine needs. */
const storeObject = () => open(peer.url(), '60000').put(key, stream());
const stream = (bytes = content) => Readable.from([bytes], { objectMode: false });
const listed = async (of = storage) => {
  const keys: string[] = [];
  for await (const { key } of of.list()) keys.push(key);
  return keys;
};
const outage = (message: RegExp) => ({
  status: 503,
  code: 'service_unavailable',
  headers: { 'Retry-After': '5' },
  cause: { message: expect.stringMatching(message) },
});
const operations: Record<string, () => Promise<unknown>> = {
  put: () => storage.put(key, stream()),
  read: async () => buffer(await storage.read(key)),
  range: async () => buffer(await storage.read(key, { start: 1_000, end: 200_999 })),
  size: () => storage.size(key),
  remove: () => storage.remove(key),
  list: () => listed(),
  check: () => storage.check('writing'),
};

describe('a missing bucket', () => {
  test.each(Object.keys(operations))('is an outage to %s, and no file counts as deleted', async (name) => {
    storage = open(peer.url().replace('@files', '@other'));
    await expect(operations[name]!()).rejects.toMatchObject(outage(/NoSuchBucket: there is no such bucket/));
  });

  test('isn’t mistaken for a missing file if something in between returns 404', async () => {
    await storeObject();
    peer.misbehave('no_page');
    for (const run of Object.values(operations)) {
      await expect(run()).rejects.toMatchObject(outage(/the store returned 404/));
    }
    peer.misbehave(undefined);
    expect(await operations.read!()).toEqual(content);
  });

  test('a missing object counts as deleted only if the bucket exists and doesn’t list it', async () => {
    expect(await storage.size(key)).toBeUndefined();
    await expect(storage.read(key)).rejects.toMatchObject({ status: 404 });
    await storage.remove(key);
    await storeObject();
    const lying = async (operation: () => Promise<unknown>) => {
      const error = (await operation().catch((error) => error)) as { cause: Error };
      return error.cause.message;
    };
    // It is listed.
    peer.misbehave((exchange) => (exchange.stored ? exchange.res.writeHead(404).end() : exchange.proceed()));
    expect(await lying(operations.size!)).toBe('the store lists an object that it then reports missing');
    expect(await lying(operations.read!)).toBe('the store lists an object that it then reports missing');
  });
});

describe('the error tells the operator', () => {
  const refusals: [string, () => string, RegExp][] = [
    ['a wrong secret', () => peer.url().replace('cret', 'gret'), /403 with SignatureDoesNotMatch: the secret is wrong/],
    ['a wrong key', () => peer.url().replace('AKIA', 'AKIB'), /403 with InvalidAccessKeyId: the access key is unknown/],
    ['no bucket', () => peer.url().replace('@files', '@other'), /404 with NoSuchBucket: there is no such bucket/],
  ];
  test.each(refusals)('%s, which is permanent', async (_, url, message) => {
    const error = await open(url())
      .check('writing')
      .catch((error) => error);
    expect(error).toMatchObject(outage(message));
    expect(errorOf(error).isLasting).toBe(true);
    expect(startProblem(error)).toMatch(/^the file store \(STORAGE_URL\) can't be used: the store returned 40/);
  });

  test.each([
    ['denies', true, /AccessDenied: its keys lack this permission/],
    ['elsewhere', true, /PermanentRedirect: the bucket is in another region/],
    ['full', false, /507 with XMinioStorageFull/],
    ['over_quota', false, /403 with QuotaExceeded/],
    ['overloaded', false, /503 with SlowDown|silent/], // the SDK retries with increasing delays
    ['page', false, /did not return a list|returned 200/],
  ] as [FaultName, boolean, RegExp][])('%s: permanent %s', async (fault, isLasting, message) => {
    peer.misbehave(fault);
    const error = await storage.check('reading').catch((error) => error);
    expect(error).toMatchObject(outage(message));
    expect(errorOf(error).isLasting).toBe(isLasting);
  });

  test('read-only keys, which only a write detects', async () => {
    peer.misbehave('denies', ['PUT']);
    await storage.check('reading');
    const error = await storage.check('writing').catch((error) => error);
    expect(errorOf(error)).toMatchObject({ isLasting: true, reason: expect.stringContaining('AccessDenied') });
  });

  test('and the check leaves nothing behind', async () => {
    await storage.check('writing');
    expect(peer.objects.size).toBe(0);
  });

  test('nothing for a clock that is off by an hour, because the store reports its time', async () => {
    for (const ms of [3_600_000, -3_600_000]) {
      peer.skew(ms);
      const late = open(peer.url());
      await late.check('writing');
      await late.put(key, stream());
      expect(await late.size(key)).toBe(content.length);
    }
  });
});

describe('a silent store', () => {
  test('is an outage to each operation after a timeout', async () => {
    await storeObject();
    peer.misbehave('silent');
    const silent = outage(/silent for 1000 ms/);
    await Promise.all(Object.values(operations).map((run) => expect(run()).rejects.toMatchObject(silent)));
  });

  test('is detected in the middle of an object too', async () => {
    await storeObject();
    peer.misbehave('stalls', ['GET']);
    await expect(operations.read!()).rejects.toMatchObject(outage(/sent nothing for 1000 ms/));
    await expect(operations.range!()).rejects.toMatchObject(outage(/sent nothing for 1000 ms/));
  });

  test('doesn’t limit slow readers', async () => {
    await storeObject();
    const slow = open(peer.url());
    const reading = await slow.read(key);
    // If another request hits the timeout in the meantime, this one would have hit it too.
    const { value: first } = await reading.iterator({ destroyOnReturn: false }).next();
    peer.misbehave('silent');
    await expect(slow.size(key)).rejects.toMatchObject({ status: 503 });
    expect(Buffer.concat([first, await buffer(reading)])).toEqual(content);
  });

  test('isn’t confused with a slow store, since there is no overall timeout', async () => {
    const pieces = 12;
    peer.misbehave(slowly(200, Math.ceil(content.length / pieces)));
    const startedMs = performance.now();
    await storage.put(key, stream());
    expect(await operations.read!()).toEqual(content);
    expect(performance.now() - startedMs).toBeGreaterThan(Number(timeoutSetting)); // else nothing was tested
  });
});

describe('an inconsistent store', () => {
  test.each(['page', 'error_in_200', 'keeps_nothing', 'keeps_half'] as FaultName[])(
    'doesn’t make an upload count as stored: %s',
    async (fault) => {
      peer.misbehave(fault, ['PUT']);
      await expect(storage.put(key, stream())).rejects.toMatchObject({ status: 503 });
    },
  );

  test('may use an ETag that isn’t an MD5', async () => {
    peer.misbehave('odd_etag', ['PUT']);
    await storage.put(key, stream());
    expect(await operations.read!()).toEqual(content);
  });

  test.each(['breaks_off', 'cuts', 'changes', 'page', 'error_in_200'] as FaultName[])(
    'doesn’t make a truncated download look complete: %s',
    async (fault) => {
      await storeObject();
      peer.misbehave(fault, ['GET']);
      await expect(operations.read!()).rejects.toMatchObject({ status: 503 });
    },
  );

  test.each(['breaks_off', 'cuts', 'ignores_ranges', 'other_range', 'page', 'error_in_200'] as FaultName[])(
    'doesn’t make a truncated range look complete: %s',
    async (fault) => {
      await storeObject();
      peer.misbehave(fault, ['GET']);
      await expect(operations.range!()).rejects.toMatchObject({ status: 503 });
    },
  );

  test('returns the rest of an object for a range beyond its end', async () => {
    await storeObject();
    const end = await buffer(await storage.read(key, { start: 299_990, end: 400_000 }));
    expect(end).toEqual(content.subarray(299_990));
  });

  test.each(['page', 'error_in_200'] as FaultName[])('doesn’t fake a size or a list: %s', async (fault) => {
    await storeObject();
    peer.misbehave(fault);
    await expect(storage.size(key)).rejects.toMatchObject({ status: 503 });
    await expect(listed()).rejects.toMatchObject({ status: 503 });
  });

  test('doesn’t make a file count as removed while it still exists', async () => {
    await storeObject();
    peer.misbehave('keeps_removed', ['DELETE']);
    await expect(storage.remove(key)).rejects.toMatchObject(outage(/still has a deleted object/));
  });

  test('with an endless list is detected', async () => {
    await storeObject();
    peer.misbehave(({ res }) => {
      const object = `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`;
      res.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>${object}</ListBucketResult>`);
    });
    await expect(listed()).rejects.toMatchObject(outage(/does not list objects as S3 does/));
  });

  test('may have objects from before hashes were stored', async () => {
    await storeObject();
    delete peer.objects.get(key)!.metadata;
    expect(await operations.read!()).toEqual(content);
    peer.misbehave('breaks_off', ['GET']);
    await expect(operations.read!()).rejects.toMatchObject({ status: 503 });
  });
});

describe('a folder', () => {
  const missing = outage(/the file folder is missing/);
  let files: string;
  beforeEach(async () => {
    files = join(folder, 'files');
    storage = open(`file:${files}`);
    await storage.check('writing');
    await storage.put(key, stream());
  });

  test('that vanishes is an outage, and nothing is written in its place', async () => {
    await rename(files, join(folder, 'elsewhere'));
    for (const name of ['put', 'read', 'size', 'remove', 'list', 'check']) {
      await expect(operations[name]!()).rejects.toMatchObject(missing);
    }
    await rename(join(folder, 'elsewhere'), files);
    expect(await operations.read!()).toEqual(content);
  });

  test('replaced by an empty one is a different store, such as an unmounted disk', async () => {
    await rename(files, join(folder, 'elsewhere'));
    await symlink(await mkdtemp(join(folder, 'mountpoint-')), files);
    for (const name of ['put', 'read', 'size', 'remove', 'list', 'check']) {
      await expect(operations[name]!()).rejects.toMatchObject(missing);
    }
  });

  test.each(['/dev/null/files', '/proc/files'])('that can’t be created fails immediately: %s', async (path) => {
    const error = await open(`file:${path}`)
      .check('writing')
      .catch((error) => error);
    expect(error).toMatchObject({ status: 503 });
    expect(errorOf(error)).toMatchObject({ isLasting: true, reason: expect.stringContaining(path) });
  });
});
