/** Kills the process during uploads, repeatedly: no row may lack its file. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createStorage } from '../../../src/platform/files/context.ts';
import { isUnfinished } from '../../../src/platform/files/store/storage.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { objects } from '../../helpers/resources/documents.ts';
import { pdf } from '../../platform/files/samples.ts';

const rounds = 2;
const uploaders = 8;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  killProcesses();
  await app.close();
});

/** @returns the id of the document; undefined without a response */
async function upload(baseUrl: string, content: Buffer): Promise<string | undefined> {
  const form = new FormData();
  form.set('type', 'contract');
  form.set('file', new Blob([content as Buffer<ArrayBuffer>], { type: 'application/pdf' }), 'contract.pdf');
  const response = await fetch(`${baseUrl}/v1/collaborators/${app.report.collaborator_id}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id },
    body: form,
  }).catch(() => undefined);
  if (!response) return undefined;
  expect(response.status).toBe(201);
  const body = (await response.json().catch(() => ({}))) as { id?: string }; // killed while responding
  return body.id;
}

test('every row has its file, acknowledged uploads exist, and the sweep removes files without a row', async () => {
  const storage = createStorage(app.config);
  const { folder } = app.config.storage as { folder: string };
  const promised: string[] = [];
  let unfinished = 0;
  let swept = 0;
  for (let round = 0; round < rounds; round++) {
    const port = await freePort();
    const settings = { DATABASE_URL: app.database.url, BASE_URL: app.base_url, STORAGE_URL: `file:${folder}` };
    const api = startProcess({ ...settings, PORT: String(port) }, ['api']);
    await api.ready();
    const enough = promised.length + 5 + round * 3;
    let killed: Promise<void> | undefined;
    const uploader = async (number: number) => {
      // Very different sizes, so that the kill hits different stages.
      const content = Buffer.concat([pdf(), Buffer.alloc(1_000 + number * 700_000, number)]);
      while (!killed) {
        const id = await upload(`http://127.0.0.1:${port}`, content);
        if (id) promised.push(id);
        if (promised.length >= enough) killed ??= api.kill();
      }
    };
    await Promise.all(Array.from({ length: uploaders }, (_, number) => uploader(number)));
    await killed;
    await restOfTransactions();

    const rows = await app.database.query<{ id: string; key: string; size: number; sha256: Buffer }>(
      'select id, key, size, sha256 from documents',
    );
    const known = new Set(rows.map(({ id }) => id));
    expect(promised.filter((id) => !known.has(id))).toEqual([]);
    for (const { key, size, sha256 } of rows) {
      expect(await storage.size(key)).toBe(size);
      const content = await buffer(await storage.read(key));
      expect(createHash('sha256').update(content).digest()).toEqual(sha256);
    }
    unfinished += (await objects(app)).filter(isUnfinished).length;
    swept += (await sweepFiles(app.database.db, storage, { olderThanS: 0 })).removed;
    expect(await objects(app)).toEqual(rows.map(({ key }) => key).sort());
  }
  // Else it was never killed midway, and the test proves nothing.
  expect(unfinished).toBeGreaterThan(0);
  expect(swept).toBeGreaterThanOrEqual(unfinished);
});

/** A commit in progress at the kill may still complete. */
async function restOfTransactions(): Promise<void> {
  await eventually(async () => {
    const busy = await app.database.query(
      "select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
    );
    expect(busy).toEqual([]);
  });
}
