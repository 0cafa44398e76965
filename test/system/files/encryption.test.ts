/** File encryption end to end: the folder reveals nothing without the key, and every use of files works as usual. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { restoreBackup } from '../../../src/platform/backup/restore.ts';
import { writeBackup } from '../../../src/platform/backup/take.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { markKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { pdf, picture, withForm } from '../../helpers/resources/documents.ts';
import { csvOf } from '../../helpers/resources/exports.ts';
import { csv, importsPath, requiredHeaders, withImport } from '../../helpers/resources/imports.ts';
import { testSettings } from '../../helpers/settings.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

/** Chunk size of the encryption; the content spans several. */
const chunkBytes = 65_536;
const secretWords = 'The salary of Ines Prado is agreed';
const content = Buffer.concat([pdf, Buffer.alloc(3 * chunkBytes + 500, `${secretWords}. `)]);
const oldKey = testSettings.ENCRYPTION_KEY;
const newKey = randomBytes(32).toString('base64');

let app: TestApp;
let worker: TestWorker | undefined;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  files = join(folder.path, 'files');
  [app, target] = await Promise.all([
    testApp({ STORAGE_URL: `file:${files}`, STORAGE_ENCRYPTION: 'true' }),
    testDatabase(2, { template: 'template0' }),
  ]);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker?.stop();
  await app.close();
  await target.drop();
  await folder.remove();
});

const environment = (where: string, keys: string) => ({
  ...settings(folder.path, app.database.url),
  STORAGE_URL: `file:${where}`,
  STORAGE_ENCRYPTION: 'true',
  ENCRYPTION_KEY: keys,
});
const storageOf = (where: string, keys = oldKey) =>
  createStorage(readConfig({ ...testSettings, ...environment(where, keys) }));

async function fetched(url: string, range?: string) {
  const response = await fetch(url, { headers: range ? { range } : {} });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The files as an attacker with access to the disk sees them. */
async function stored(where: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(where, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && entry.name !== markKey); // the store's mark isn't encrypted
  const names = found.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(name)] as const)));
}

function expectUnreadable(found: Map<string, Buffer>): void {
  for (const bytes of found.values()) {
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\0cafile1');
    for (const words of [secretWords, 'Nadia Noruz', 'not-an-address', '%PDF', 'WEBP', 'Mariana']) {
      expect(bytes.includes(words)).toBe(false);
    }
  }
}

test('upload, ranges, photo, import and its report, export, backup, restore, and rotation work', async () => {
  const person = `/v1/collaborators/${app.employee.collaborator_id}`;

  // Documents and photos, in full and in ranges.
  await withForm(app.admin.post(`${person}/documents`), { file: content, filename: 'agreement.pdf' }).expect(201);
  const { url } = (await app.admin.get(`${person}/documents`).expect(200)).body.data[0];
  expect(await fetched(url)).toEqual({ status: 200, bytes: content });
  for (const [start, end] of [
    [0, 0],
    [chunkBytes - 3, chunkBytes + 3],
    [chunkBytes, 2 * chunkBytes - 1],
    [10, content.length - 1],
  ] as const) {
    const part = content.subarray(start, end + 1);
    expect(await fetched(url, `bytes=${start}-${end}`)).toEqual({ status: 206, bytes: part });
  }
  expect(await fetched(url, 'bytes=-100')).toEqual({ status: 206, bytes: content.subarray(-100) });
  await app.admin.put(`${person}/photo`, { content_base64: (await picture()).toString('base64') }).expect(200);

  // An import with a report, and an export of its people.
  const rows = [
    ['Nadia Noruz', 'nadia@example.com', 'Planner', 'Operations'],
    ['Somebody', 'not-an-address', 'Planner', 'Operations'],
  ];
  const file = csv([requiredHeaders, ...rows]);
  const { body: job } = await withImport(app.admin.post(importsPath), { file, on_error: 'continue' }).expect(202);
  const ended = await eventually(async () => {
    const { body } = await app.admin.get(`/v1/imports/${job.id}`).expect(200);
    expect(body).toMatchObject({ status: 'completed_with_errors', counts: { created: 1, failed: 1 } });
    return body;
  });
  const report = await fetched(ended.error_report_url);
  expect(report.bytes.toString()).toContain('not-an-address');
  const { body: list } = await app.admin.get('/v1/collaborators/export/list?format=csv').expect(200);
  expect(csvOf((await fetched(list.url)).bytes).flat()).toContain('Nadia Noruz');

  const before = await stored(files);
  expect(before.size).toBeGreaterThanOrEqual(4);
  expectUnreadable(before);

  // Backups contain plain files, which a restore encrypts again.
  const [row] = await app.database.query<{ key: string }>('select key from documents');
  const read = async (storage: Storage, range?: { start: number; end: number }) =>
    buffer(await storage.read(row!.key, range));
  const backup = join(folder.path, 'all.zip');
  const elsewhere = join(folder.path, 'restored');
  const { encryption_keys: encryptionKeys } = app.config;
  const watched = { encryption_keys: encryptionKeys, signal: new AbortController().signal, onProgress: () => {} };
  await writeBackup({ url: app.database.url, storage: storageOf(files), target: backup, ...watched });
  await restoreBackup({ url: target.url, storage: storageOf(elsewhere), source: backup, force: false, ...watched });
  const restored = await stored(elsewhere);
  expect(restored.size).toBe(before.size);
  expectUnreadable(restored);
  const range = { start: chunkBytes, end: chunkBytes + 64 };
  expect(await read(storageOf(elsewhere), range)).toEqual(content.subarray(chunkBytes, chunkBytes + 65));

  // During rotation both keys work, then only the new one.
  const both = `${newKey},${oldKey}`;
  const rotate = (keys: string) => runCli(['secrets', 'rotate', '--json'], environment(files, keys));
  expect(await read(storageOf(files, both))).toEqual(content);
  await worker!.stop(); // it knows only the old key, so rotation would be refused
  worker = undefined;
  const rotated = await rotate(both);
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(rotated.stdout).data).toContainEqual({ name: 'files', resealed: before.size, unreadable: 0 });
  expect(await read(storageOf(files, both))).toEqual(content);
  const after = await stored(files);
  expectUnreadable(after);
  for (const [name, bytes] of after)
    expect(bytes.subarray(0, 64).equals(before.get(name)!.subarray(0, 64))).toBe(false);
  expect(await read(storageOf(files, newKey))).toEqual(content);

  // The old key can't decrypt anything, including the database.
  await expect(read(storageOf(files, oldKey))).rejects.toThrow();
  expect((await rotate(oldKey)).code).toBe(1);
});
