/** Exports expire after a day, with their files. */
import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { createStorage } from '../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { removeOldExports } from '../../../src/worker/tasks/cleanup/removeOldExports.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { objects } from '../../helpers/resources/documents.ts';
import { exportPaths } from '../../helpers/resources/exports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(async () => {
  await app.database.query('delete from exports');
  await sweepFiles(app.database.db, storage(), { olderThanS: 0 });
});

const storage = () => createStorage(app.config);
const remove = () => removeOldExports(app.database.db, storage(), createLogger('silent'))({}, {} as JobHelpers);
const ids = async () => (await app.database.query<{ id: string }>('select id from exports')).map(({ id }) => id);
const createExport = async (client = app.admin) => (await client.get(exportPaths.list).expect(200)).body;
const expire = (id: string) =>
  app.database.query("update exports set expires_at = now() - interval '1 second' where id = $1", [id]);

test('removes expired exports with their files in every company, and keeps the rest', async () => {
  const [own, foreign, retained] = [await createExport(), await createExport(app.outsider), await createExport()];
  await expire(own.id);
  await expire(foreign.id);
  await remove();
  expect(await ids()).toEqual([retained.id]);
  expect(await objects(app)).toHaveLength(1);
  expect((await fetch(own.url)).status).toBe(404);
  expect((await fetch(retained.url)).status).toBe(200);
});

test('removes in batches, whatever the status', async () => {
  const { id } = await createExport();
  await app.database.query(
    `insert into exports select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'key', n::text,
       'status', 'queued', 'due_at', now(), 'expires_at', now() - interval '1 minute'))).*
     from exports e, generate_series(1, 501) n`,
  );
  expect(await ids()).toHaveLength(502);
  await remove();
  expect(await ids()).toEqual([id]);
});

test('sweeps files without an export, and keeps others', async () => {
  const [missing, retained] = [await createExport(), await createExport()];
  await app.database.query('delete from exports where id = $1', [missing.id]);
  await app.database.query('update exports set id = $1 where id = $2', [randomUUID(), retained.id]);
  expect(await sweepFiles(app.database.db, storage(), { olderThanS: 0 })).toEqual({ removed: 1 });
  expect((await fetch(retained.url)).status).toBe(200);
  expect((await fetch(missing.url)).status).toBe(404);
});
