/** Requirements of the service for an S3 store, checked on the one from `make proof NAME=store`, or the tests' own. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { errorOf } from '../../../src/platform/files/store/store-error.ts';
import { externalStore, uniqueStoreUrl } from '../../helpers/external-store.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { testSettings } from '../../helpers/settings.ts';

/** Some test stores check neither keys nor signatures. */
const checksKeys = process.env.TEST_STORE_CHECKS_KEYS !== 'false';
/** Some send their own headers at presigned URLs. */
const overridesHeaders = process.env.TEST_STORE_NAMES_ANSWERS !== 'false';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
let folder: string;
let peer: S3Peer | undefined;
let url: string;
let storage: Storage;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'given-'));
  if (!externalStore?.startsWith('s3:')) peer = await startS3();
});
beforeEach(() => {
  url = peer ? peer.url(randomBytes(6).toString('hex')) : uniqueStoreUrl(externalStore!);
  storage = open(url);
  key = newKey(companyId, 'documents');
});
afterAll(async () => {
  await peer?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (STORAGE_URL: string, more = {}): Storage =>
  createStorage(readConfig({ ...testSettings, DATA_DIR: folder, STORAGE_URL, ...more }));
const stream = (...pieces: Buffer[]) => Readable.from(pieces, { objectMode: false });
const keys = async (of = storage) => {
  const found: string[] = [];
  for await (const { key } of of.list()) found.push(key);
  return found;
};

test('can be checked without leaving anything behind', async () => {
  await storage.check('reading');
  await storage.check('writing');
  expect(await keys()).toEqual([]);
});

test.each([0, 1, 65_536, 6_000_000])('stores %i bytes', async (bytes) => {
  const content = randomBytes(bytes);
  await storage.put(key, stream(content.subarray(0, bytes / 2), content.subarray(bytes / 2)));
  expect(await storage.size(key)).toBe(bytes);
  expect(content.equals(await buffer(await storage.read(key)))).toBe(true);
});

test.each([
  [0, 0],
  [99_999, 99_999],
  [5, 70_000],
  [99_990, 200_000],
])('returns bytes %i to %i', async (start, end) => {
  const content = randomBytes(100_000);
  await storage.put(key, stream(content));
  expect(await buffer(await storage.read(key, { start, end }))).toEqual(content.subarray(start, end + 1));
});

test('reports missing objects, and removes them without an error', async () => {
  expect(await storage.size(key)).toBeUndefined();
  await expect(storage.read(key)).rejects.toMatchObject({ status: 404 });
  await expect(storage.read(key, { start: 0, end: 1 })).rejects.toMatchObject({ status: 404 });
  await storage.remove(key);
  await storage.put(key, stream(Buffer.from('x')));
  await storage.remove(key);
  expect(await storage.size(key)).toBeUndefined();
});

test('keeps the newer of two objects with the same name', async () => {
  await storage.put(key, stream(Buffer.from('older')));
  await storage.put(key, stream(Buffer.from('newer one')));
  expect(String(await buffer(await storage.read(key)))).toBe('newer one');
});

test('lists objects below the prefix in key order, from any key on', async () => {
  const all = Array.from({ length: 7 }, () => newKey(companyId, 'documents')).sort();
  for (const each of all.toReversed()) await storage.put(each, stream(Buffer.from('x')));
  const sibling = open(uniqueStoreUrl(url));
  await sibling.put(key, stream(Buffer.from('x')));
  expect(await keys(sibling)).toEqual([key]);
  expect((await keys()).filter((found) => all.includes(found))).toEqual(all);
  const rest: string[] = [];
  const times: number[] = [];
  for await (const { key, modifiedAt } of storage.list(all[3])) {
    rest.push(key);
    if (all.includes(key)) times.push(modifiedAt.getTime());
  }
  // Written in reverse order one after the other, whatever the store's clock, and in whole seconds.
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(rest.filter((found) => all.includes(found))).toEqual(all.slice(4));
});

test('supports prefixes with spaces and non-ASCII letters', async () => {
  const unusual = open(url.replace(/(\?|$)/, '/not%20only%20ascii%20%C3%A7%C3%A3o+%26$1'));
  await unusual.put(key, stream(Buffer.from('x')));
  expect(await unusual.size(key)).toBe(1);
  expect(await keys(unusual)).toEqual([key]);
  await unusual.remove(key);
  expect(await keys(unusual)).toEqual([]);
});

test('handles twenty concurrent requests', async () => {
  const contents = Array.from({ length: 20 }, () => randomBytes(50_000));
  const objects = contents.map((content) => ({ content, key: newKey(companyId, 'photos') }));
  await Promise.all(objects.map(({ key, content }) => storage.put(key, stream(content))));
  const read = await Promise.all(objects.map(async ({ key }) => buffer(await storage.read(key))));
  expect(read.every((content, at) => content.equals(contents[at]!))).toBe(true);
});

const wrongKeys: [string, (storeUrl: string) => string, RegExp][] = [
  [
    'a wrong secret',
    (storeUrl) => storeUrl.replace(/:[^:@/]+@/, ':wrong-secret@'),
    /SignatureDoesNotMatch|AccessDenied/,
  ],
  [
    'an unknown key',
    (storeUrl) => storeUrl.replace(/\/\/[^:@/]+:/, '//unknown-key:'),
    /InvalidAccessKeyId|AccessDenied/,
  ],
];

test.each([
  ...(checksKeys ? wrongKeys : []),
  [
    'no such bucket',
    (storeUrl: string) => storeUrl.replace(/@[^/?]+/, '@bucket-that-is-not-there'),
    /NoSuchBucket|AccessDenied/,
  ],
])('rejects %s with a permanent error', async (_, change, reason) => {
  const error = await open(change(url))
    .check('writing')
    .catch((error) => error);
  expect(error).toMatchObject({ status: 503 });
  expect(errorOf(error)).toMatchObject({ isLasting: true, reason: expect.stringMatching(reason) });
});

test('doesn’t report a file as deleted if the bucket is missing', async () => {
  const elsewhere = open(url.replace(/@[^/?]+/, '@bucket-that-is-not-there'));
  await expect(elsewhere.size(key)).rejects.toMatchObject({ status: 503 });
  await expect(elsewhere.read(key)).rejects.toMatchObject({ status: 503 });
  await expect(elsewhere.remove(key)).rejects.toMatchObject({ status: 503 });
});

test('serves presigned URLs with exactly the signed headers', async () => {
  const redirecting = open(url, { STORAGE_REDIRECT: 'true' });
  await redirecting.put(key, stream(Buffer.from('content')));
  const signed = await redirecting.presign!(key, {
    media_type: 'application/pdf',
    contentDisposition: 'attachment; filename="a b.pdf"',
    expiresInS: 60,
  });
  const response = await fetch(signed);
  expect([response.status, await response.text()]).toEqual([200, 'content']);
  if (overridesHeaders) {
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a b.pdf"');
  }
  expect((await fetch(signed, { headers: { Range: 'bytes=0-2' } })).status).toBe(206);
  if (!checksKeys) return;
  expect((await fetch(signed.replace('a%20b.pdf', 'c.pdf'))).status).toBe(403);
  expect((await fetch(signed.replace(/\?.*/, ''))).status).toBe(403);
});
