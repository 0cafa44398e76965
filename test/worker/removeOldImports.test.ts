import type { JobHelpers } from 'graphile-worker';
import { createStorage } from '../../src/platform/files/context.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { removeOldImports } from '../../src/worker/tasks/cleanup/removeOldImports.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { objects } from '../helpers/resources/documents.ts';
import { csv, people, requiredHeaders, runImport, startImport } from '../helpers/resources/imports.ts';
import { testWorker } from '../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const run = () =>
  removeOldImports(app.database.db, createStorage(app.config), createLogger('silent'))({}, {} as JobHelpers);

test('removes imports with errors and files of every company after 30 days, and keeps others', async () => {
  const worker = await testWorker(app);
  const file = csv([requiredHeaders, ['Ann', 'ann@example.com', 'x', 'y'], ['Bad', 'bad', 'x', 'y']]);
  const old = await runImport(app.admin, { file, dry_run: true });
  const foreign = await runImport(app.outsider, { file, dry_run: true });
  const young = await runImport(app.admin, { file: people([1]), dry_run: true });
  await worker.stop();
  const open = await startImport(app.admin, { file });
  expect(await objects(app)).toHaveLength(2 + 2 + 1 + 1);
  const retained =
    'select distinct round(extract(epoch from expires_at - created_at) / 86400)::int as days from imports';
  expect(await app.database.query(retained)).toEqual([{ days: 30 }]);
  await app.database.query("update imports set expires_at = now() - interval '1 second' where id = any($1)", [
    [old.id, foreign.id, open],
  ]);
  await run();
  const remaining = await app.database.query<{ id: string; key: string }>('select id, key from imports order by id');
  expect(remaining.map(({ id }) => id)).toEqual([young.id, open].sort());
  expect((await objects(app)).sort()).toEqual(remaining.map(({ key }) => key).sort());
  expect(await app.database.query('select 1 from import_errors')).toEqual([]);
  await app.admin.get(`/v1/imports/${old.id}/errors`).expect(404);
  expect(await app.database.query('select 1 from collaborators where email = $1', ['ann@example.com'])).toEqual([]);
});
