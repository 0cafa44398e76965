import { randomUUID } from 'node:crypto';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createStorage } from '../../../src/platform/files/context.ts';
import { type FileKind, newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addPerson } from '../../helpers/identity/people.ts';
import { addDocument, objects, picture } from '../../helpers/resources/documents.ts';
import { startImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let storage: Storage;
let folder: string;

beforeAll(async () => {
  app = await testApp();
  storage = createStorage(app.config);
  folder = (app.config.storage as { folder: string }).folder;
});
afterAll(() => app.close());
afterEach(async () => {
  for (const table of ['documents', 'exports', 'imports']) await app.database.query(`delete from ${table}`);
  await app.database.query('update collaborators set avatar_key = null');
  await sweep();
});

async function orphan(companyId = app.company_id, kind: FileKind = 'documents') {
  const key = newKey(companyId, kind);
  await storage.put(key, Readable.from([Buffer.from('x')], { objectMode: false }));
  return key;
}

async function age(keys: string[], seconds: number) {
  const then = new Date(Date.now() - seconds * 1_000);
  for (const key of keys) await utimes(join(folder, key), then, then);
}

/** Of a template's link: 15 minutes. */
const linkLifetimeS = 900;

const sweep = (options = {}) => sweepFiles(app.database.db, storage, { olderThanS: 0, ...options });

test('removes files without a row, and nothing else', async () => {
  await addDocument(app, app.report.collaborator_id);
  await addDocument(app, app.employee.collaborator_id);
  await app.admin
    .put(`/v1/collaborators/${app.report.collaborator_id}/photo`)
    .attach('file', await picture(), 'me.png')
    .expect(200);
  const named = await objects(app);
  expect(named).toHaveLength(3);
  await orphan();
  await orphan(app.company_id, 'photos');
  await orphan(app.outsider.company_id);
  await orphan(randomUUID()); // of a company that doesn't exist
  expect(await sweep()).toEqual({ removed: 4 });
  expect(await objects(app)).toEqual(named);
  expect(await sweep()).toEqual({ removed: 0 });
});

test('a company’s row doesn’t protect another company’s object', async () => {
  const foreignKey = await orphan(app.outsider.company_id);
  await addDocument(app, app.report.collaborator_id);
  await app.database.query('update documents set key = $1', [foreignKey]);
  expect((await sweep()).removed).toBe(2);
  expect(await objects(app)).toEqual([]);
});

test('removes the file of a deleted document, but not of a deleted person', async () => {
  const id = await addDocument(app, app.report.collaborator_id);
  const person = await addPerson(app, 'Ida Leaver');
  await addDocument(app, person);
  await app.database.query('update documents set key = null, deleted_at = now() where id = $1', [id]);
  await app.admin.delete(`/v1/collaborators/${person}`).expect(200);
  expect((await sweep()).removed).toBe(1);
  expect(await objects(app)).toHaveLength(1);
});

test('keeps recent objects, whose rows may not be committed yet', async () => {
  const [young, old] = [await orphan(), await orphan()];
  await age([young], 3_500);
  await age([old], 3_700);
  expect(await sweepFiles(app.database.db, storage)).toEqual({ removed: 1 });
  expect(await objects(app)).toEqual([young]);
  expect(await sweep({ olderThanS: 3_000 })).toEqual({ removed: 1 });
});

test('removes old leftovers of interrupted writes, and keeps foreign files', async () => {
  const key = await orphan();
  await storage.remove(key);
  await writeFile(join(folder, '.unfinished', 'abcdef'), 'half');
  await writeFile(join(folder, '.unfinished', '012345'), 'half');
  await age(['.unfinished/abcdef'], 4_000);
  await writeFile(join(folder, 'README'), 'somebody’s');
  await age(['README'], 4_000);
  expect(await sweepFiles(app.database.db, storage)).toEqual({ removed: 1 });
  expect(await objects(app)).toEqual(['.unfinished/012345']);
  expect(await readFile(join(folder, 'README'), 'utf8')).toBe('somebody’s');
});

test('keeps files of imports and exports with their rows, and templates as long as their links', async () => {
  await app.admin.get('/v1/collaborators/export/list').expect(200);
  const importId = await startImport(app.admin, {});
  const reportKey = await orphan(app.company_id, 'imports');
  await app.database.query('update imports set report_key = $1 where id = $2', [reportKey, importId]);
  const named = await objects(app);
  expect(named).toHaveLength(3);
  for (const kind of ['exports', 'imports'] as const) await orphan(app.company_id, kind);
  expect(await sweep()).toEqual({ removed: 2 });
  expect(await objects(app)).toEqual(named);

  const { body: template } = await app.admin.get('/v1/collaborators/import-template').expect(200);
  const templates = (await objects(app)).filter((key) => !named.includes(key));
  expect(templates).toHaveLength(1);
  await age(templates, linkLifetimeS);
  expect(await sweepFiles(app.database.db, storage)).toEqual({ removed: 0 });
  expect((await fetch(template.url)).status).toBe(200);
  await age(templates, 3_700);
  expect(await sweepFiles(app.database.db, storage)).toEqual({ removed: 1 });
  expect(await objects(app)).toEqual(named);
});

test('stops at the time limit, and continues from there', async () => {
  await addDocument(app, app.report.collaborator_id);
  const [named] = await objects(app);
  for (const companyId of [app.company_id, app.outsider.company_id]) {
    for (const kind of ['documents', 'photos'] as const) await orphan(companyId, kind);
  }
  let after: string | undefined;
  let removed = 0;
  let steps = 0;
  do {
    const swept = await sweep({ after, budgetMs: -1 });
    after = swept.after;
    removed += swept.removed;
    steps++;
  } while (after !== undefined);
  expect(removed).toBe(4);
  expect(steps).toBeGreaterThan(2);
  expect(await objects(app)).toEqual([named]);
});

test('handles very many objects of one company', async () => {
  const keys = await Promise.all(Array.from({ length: 501 }, () => orphan()));
  await addDocument(app, app.report.collaborator_id);
  expect(keys).toHaveLength(501);
  expect((await sweep()).removed).toBe(501);
  expect(await objects(app)).toHaveLength(1);
});

test('runs as a job of the worker', async () => {
  const old = await orphan();
  const young = await orphan();
  await age([old], 4_000);
  const worker = await testWorker(app);
  try {
    await app.database.query("select graphile_worker.add_job('sweepFiles', '{}')");
    await eventually(async () => expect(await objects(app)).toEqual([young]));
  } finally {
    await worker.stop();
  }
});
