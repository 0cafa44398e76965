/** Encrypted files read back unchanged, in full and in part, and never after tampering. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../../src/platform/config/config.ts';
import { ConfigError } from '../../../src/platform/config/config-error.ts';
import { createFolder, createStorage } from '../../../src/platform/files/context.ts';
import { encryptedStorage } from '../../../src/platform/files/store/encrypted.ts';
import { createLocalStorage } from '../../../src/platform/files/store/local.ts';
import { newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { fileCounts, rotateFiles } from '../../../src/platform/rotation/files.ts';
import { testSettings } from '../../helpers/settings.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const [previousKey, currentKey] = [randomBytes(32), randomBytes(32)];
let folder: string;
let plain: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'encrypted-'));
  plain = createLocalStorage(folder);
});
afterEach(() => rm(folder, { recursive: true }));

async function storeContent(storage: Storage, content: Buffer): Promise<string> {
  const key = newKey(companyId, 'documents');
  await storage.put(key, Readable.from([content.subarray(0, 7), content.subarray(7)], { objectMode: false }));
  return key;
}

const bytesOf = async (storage: Storage, key: string, start?: number, end?: number) =>
  buffer(await storage.read(key, start === undefined ? undefined : { start, end: end! }));

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('returns %d bytes, and any range of them', async (size) => {
  const storage = encryptedStorage(plain, [previousKey], true);
  const content = randomBytes(size);
  const key = await storeContent(storage, content);
  expect(await storage.size(key)).toBe(size);
  expect(await bytesOf(storage, key)).toEqual(content);
  const stored = await readFile(join(folder, key));
  if (size > 16) expect(stored.includes(content.subarray(0, 16))).toBe(false);
  const ends: [number, number][] = [[0, 0], [1, 9], [65_530, 65_540], [65_536, size - 1], [size - 1, size - 1], [0, size - 1]]; // biome-ignore format: short
  for (const [start, end] of ends.filter(([start, end]) => start >= 0 && start <= end && end < size)) {
    expect(await bytesOf(storage, key, start, end)).toEqual(content.subarray(start, end + 1));
  }
});

test('rejects files that were modified, truncated, reordered, or swapped', async () => {
  const storage = encryptedStorage(plain, [previousKey], true);
  const key = await storeContent(storage, randomBytes(200_000));
  const good = await readFile(join(folder, key));
  const sealed = 65_536 + 16;
  const head = good.length - 200_000 - 4 * 16;
  const chunk = (at: number) => good.subarray(head + at * sealed, head + (at + 1) * sealed);
  const changes: Buffer[] = [
    good.subarray(0, head + 2 * sealed),
    good.subarray(0, -1),
    Buffer.concat([good.subarray(0, head), chunk(1), chunk(0), good.subarray(head + 2 * sealed)]),
    Buffer.concat([good, chunk(3)]),
    ...[head - 1, head + 5, good.length - 1].map((at) => {
      const changed = Buffer.from(good);
      changed[at]! ^= 1;
      return changed;
    }),
  ];
  for (const changed of changes) {
    await writeFile(join(folder, key), changed);
    await expect(bytesOf(storage, key)).rejects.toThrow();
  }
  const another = await storeContent(storage, randomBytes(10));
  await rename(join(folder, another), join(folder, key));
  await expect(bytesOf(storage, key)).rejects.toThrow();
});

test('unencrypted files stay readable, and encrypted ones after switching it off', async () => {
  const content = Buffer.from('from before');
  const before = await storeContent(plain, content);
  const on = encryptedStorage(plain, [previousKey], true);
  expect(await bytesOf(on, before)).toEqual(content);
  expect(await on.size(before)).toBe(content.length);
  const sealed = await storeContent(on, content);
  const off = encryptedStorage(plain, [previousKey], false);
  expect(await bytesOf(off, sealed)).toEqual(content);
  const after = await storeContent(off, content);
  expect(await readFile(join(folder, after))).toEqual(content);
  await expect(bytesOf(encryptedStorage(plain, [currentKey], true), sealed)).rejects.toThrow('not in ENCRYPTION_KEY');
});

test('rotation rewrites files with the first key, and encrypts unencrypted ones', async () => {
  const content = randomBytes(100_000);
  const old = encryptedStorage(plain, [previousKey], true);
  const keys = [await storeContent(old, content), await storeContent(old, content), await storeContent(plain, content)];
  const both = encryptedStorage(plain, [currentKey, previousKey], true);
  expect(await fileCounts(both, true)).toEqual({ name: 'files', current: 0, older: 3 });
  expect(await rotateFiles(both, true)).toEqual({ name: 'files', resealed: 3, unreadable: 0 });
  expect(await fileCounts(both, true)).toEqual({ name: 'files', current: 3, older: 0 });
  const createOnly = encryptedStorage(plain, [currentKey], true);
  for (const key of keys) expect(await bytesOf(createOnly, key)).toEqual(content);
  expect(await rotateFiles(old, true)).toEqual({ name: 'files', resealed: 0, unreadable: 3 });
});

test('has nothing to rotate if nothing is encrypted', async () => {
  await storeContent(plain, Buffer.from('plain'));
  const off = encryptedStorage(plain, [previousKey], false);
  expect(await fileCounts(off, false)).toBeUndefined();
  expect(await rotateFiles(off, false)).toBeUndefined();
});

test('is enabled for a folder by the setting', async () => {
  const settings = { ...testSettings, STORAGE_URL: `file:${folder}`, STORAGE_ENCRYPTION: 'true' };
  const key = await storeContent(createStorage(readConfig(settings)), Buffer.from('content'));
  expect(await createFolder(readConfig(settings))!.stateOf(key)).toBe('current');
  expect(() => readConfig({ ...settings, STORAGE_URL: 's3://key:secret@bucket?region=x' })).toThrow(ConfigError);
});
