/** A full disk: uploads are rejected temporarily, leave nothing behind, and succeed once there is space. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Disk, makeDisk } from '../../../scripts/proof/chaos/machines/disk.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { testSettings } from '../../helpers/settings.ts';

const content = Buffer.alloc(100_000, 'x');
const upload = () => Readable.from([content], { objectMode: false });

let folder: string;
let disk: Disk;
let s3: S3Peer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  disk = await makeDisk(join(folder, 'data'), 1);
  s3 = await startS3();
});
afterEach(async () => {
  await s3.close();
  await disk.close();
  await rm(folder, { recursive: true, force: true });
});

const storages: [name: string, make: () => Storage][] = [
  ['folder', () => createStorage(readConfig({ ...testSettings, DATA_DIR: disk.folder }))],
  ['S3', () => createStorage(readConfig({ ...testSettings, DATA_DIR: disk.folder, STORAGE_URL: s3.url() }))],
];

test.each(storages)('%s: returns 503 without space, and stores the file once there is', async (_name, make) => {
  const storage = make();
  const before = newKey('7c9e6679-7425-40de-944b-e07fc1f90ae7', 'documents');
  await storage.put(before, upload());
  await disk.fill();
  const key = newKey('7c9e6679-7425-40de-944b-e07fc1f90ae7', 'documents');
  await expect(storage.put(key, upload())).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(await storage.size(key)).toBeUndefined();
  expect(await storage.size(before)).toBe(content.length);
  await disk.free();
  await storage.put(key, upload());
  expect(await buffer(await storage.read(key))).toEqual(content);
  const keys: string[] = [];
  for await (const object of storage.list()) keys.push(object.key);
  expect(keys.sort()).toEqual([before, key].sort());
});
