/** File encryption end to end: the folder reveals nothing without the key, and every use of files works as usual. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { markKey } from '../../../src/platform/files/store/storage.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { run, settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { pdf, picture, withForm } from '../../helpers/resources/documents.ts';
import { csvOf } from '../../helpers/resources/exports.ts';
import { csv, importsPath, requiredHeaders, withImport } from '../../helpers/resources/imports.ts';
import { testSettings } from '../../helpers/settings.ts';

/** Chunk size of the encryption; the content spans several. */
const chunkBytes = 65_536;
const secretWords = 'The salary of Ines Prado is agreed';
const content = Buffer.concat([pdf, Buffer.alloc(3 * chunkBytes + 500, `${secretWords}. `)]);
const oldKey = testSettings.ENCRYPTION_KEY;
const newKey = randomBytes(32).toString('base64');

let app: TestApp;
let target: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files: string;
beforeAll(async () => {
  [app, target, folder] = await Promise.all([testApp(), testDatabase(2, { template: 'template0' }), temporaryFolder()]);
  files = join(folder.path, 'files');
});
afterAll(async () => {
  killProcesses();
  await app.close();
  await target.drop();
  await folder.remove();
});

const environment = (databaseUrl: string, where: string, keys = oldKey) => ({
  ...settings(folder.path, databaseUrl),
  STORAGE_URL: `file:${where}`,
  STORAGE_ENCRYPTION: 'true',
  ENCRYPTION_KEY: keys,
});

/** A service with the base URL that the test's tokens are for. */
async function service(env: Record<string, string>) {
  const PORT = String(await freePort());
  const running = startProcess({ ...env, BASE_URL: app.base_url, PORT }, []);
  await running.ready();
  const address = `http://127.0.0.1:${PORT}`;
  const signed = (request: supertest.Test) =>
    request.set('Authorization', `Bearer ${app.admin.token}`).set('X-Company-Id', app.company_id);
  return {
    get: (path: string) => signed(supertest(address).get(path)),
    post: (path: string) => signed(supertest(address).post(path)),
    put: (path: string) => signed(supertest(address).put(path)),
    async fetch(url: string, range?: string) {
      const response = await fetch(url.replace(app.base_url, address), { headers: range ? { range } : {} });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    async stop() {
      running.child.kill('SIGTERM');
      expect(await running.ended).toBe(0);
    },
  };
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
  const here = await service(environment(app.database.url, files));
  const person = `/v1/collaborators/${app.employee.collaborator_id}`;

  // Documents and photos, in full and in ranges.
  await withForm(here.post(`${person}/documents`), { file: content, filename: 'agreement.pdf' }).expect(201);
  const documentUrl = async (from = here) => (await from.get(`${person}/documents`).expect(200)).body.data[0].url;
  const url = await documentUrl();
  expect(await here.fetch(url)).toEqual({ status: 200, bytes: content });
  for (const [start, end] of [
    [0, 0],
    [chunkBytes - 3, chunkBytes + 3],
    [chunkBytes, 2 * chunkBytes - 1],
    [10, content.length - 1],
  ] as const) {
    const part = content.subarray(start, end + 1);
    expect(await here.fetch(url, `bytes=${start}-${end}`)).toEqual({ status: 206, bytes: part });
  }
  expect(await here.fetch(url, 'bytes=-100')).toEqual({ status: 206, bytes: content.subarray(-100) });
  await here
    .put(`${person}/photo`)
    .send({ content_base64: (await picture()).toString('base64') })
    .expect(200);

  // An import with a report, and an export of its people.
  const rows = [
    ['Nadia Noruz', 'nadia@example.com', 'Planner', 'Operations'],
    ['Somebody', 'not-an-address', 'Planner', 'Operations'],
  ];
  const file = csv([requiredHeaders, ...rows]);
  const { body: job } = await withImport(here.post(importsPath), { file, on_error: 'continue' }).expect(202);
  const ended = await eventually(async () => {
    const { body } = await here.get(`/v1/imports/${job.id}`).expect(200);
    expect(body).toMatchObject({ status: 'completed_with_errors', counts: { created: 1, failed: 1 } });
    return body;
  });
  const report = await here.fetch(ended.error_report_url);
  expect(report.bytes.toString()).toContain('not-an-address');
  const { body: list } = await here.get('/v1/collaborators/export/list?format=csv').expect(200);
  expect(csvOf((await here.fetch(list.url)).bytes).flat()).toContain('Nadia Noruz');

  const before = await stored(files);
  expect(before.size).toBeGreaterThanOrEqual(4);
  expectUnreadable(before);

  // Backups contain plain files, which a restore encrypts again.
  const backup = join(folder.path, 'all.zip');
  const cli = (env: Record<string, string>, ...args: string[]) => run('src/cli.ts', [...args, '--json'], env);
  expect(await cli(environment(app.database.url, files), 'backup', backup)).toMatchObject({ code: 0 });
  const elsewhere = join(folder.path, 'restored');
  expect(await cli(environment(target.url, elsewhere), 'restore', backup)).toMatchObject({ code: 0 });
  const restored = await stored(elsewhere);
  expect(restored.size).toBe(before.size);
  expectUnreadable(restored);
  const there = await service(environment(target.url, elsewhere));
  expect(await there.fetch(await documentUrl(there), 'bytes=65536-65600')).toEqual({
    status: 206,
    bytes: content.subarray(65_536, 65_601),
  });
  await there.stop();
  await here.stop();

  // During rotation both keys work, then only the new one.
  const both = environment(app.database.url, files, `${newKey},${oldKey}`);
  const changing = await service(both);
  const changingUrl = await documentUrl(changing);
  const rotated = await cli(both, 'secrets', 'rotate');
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(rotated.stdout).data).toContainEqual({ name: 'files', resealed: before.size, unreadable: 0 });
  expect(await changing.fetch(changingUrl)).toEqual({ status: 200, bytes: content });
  await changing.stop();
  const after = await stored(files);
  expectUnreadable(after);
  for (const [name, bytes] of after)
    expect(bytes.subarray(0, 64).equals(before.get(name)!.subarray(0, 64))).toBe(false);
  const renewed = await service(environment(app.database.url, files, newKey));
  expect(await renewed.fetch(await documentUrl(renewed))).toEqual({ status: 200, bytes: content });
  await renewed.stop();

  // The old key can't decrypt anything, including the database.
  const failed = await cli(environment(app.database.url, files, oldKey), 'secrets', 'rotate');
  expect(failed.code).toBe(1);
});
