/** Imports that crash processes: retried once, then given up, so that they don't take down all workers. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage } from '../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { claimImport } from '../../../src/product/imports/state/import-lease.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { objects } from '../../helpers/resources/documents.ts';
import {
  csv,
  expectConsistent,
  people,
  range,
  requiredHeaders,
  startImport,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker | undefined;
beforeAll(async () => {
  app = await testApp();
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  for (const table of ['imports', 'events', 'graphile_worker._private_jobs'])
    await app.database.query(`delete from ${table}`);
  await sweepFiles(app.database.db, createStorage(app.config), { olderThanS: 0 });
});
afterAll(() => app.close());

const startWorker = async () => {
  worker = await testWorker(app);
};

/** A worker claims the oldest import, and dies without releasing it. */
async function dieWithImport(): Promise<void> {
  expect(await claimImport(app.database.db.tenant(app.company_id), 60)).toBeDefined();
  await app.database.query('update imports set due_at = now() where is_held'); // as if its lease had ended
}

async function keyOf(id: string): Promise<string | null> {
  const [row] = await app.database.query<{ key: string | null }>('select key from imports where id = $1', [id]);
  return row!.key;
}

const isRemoved = (id: string) => eventually(async () => expect(await keyOf(id)).toBeNull());

const faulty = csv([requiredHeaders, ['Ann', 'no address', 'Planner', 'Operations']]);

/** Cancels an import that has found an error. */
async function cancel(id: string, progress: string): Promise<void> {
  await app.database.query(`update imports set error_count = 1, ${progress} where id = $1`, [id]);
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
}

const linkOf = async (id: string) => (await app.admin.get(`/v1/imports/${id}`).expect(200)).body.error_report_url;

test('after one crash, an import completes; after two, it fails with a reason, and others run', async () => {
  const once = await startImport(app.admin, { file: people([1]) });
  await dieWithImport();
  await startWorker();
  expect(await waitForImport(app.admin, once)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  await worker!.stop();

  const twice = await startImport(app.admin, { file: people([2]) });
  const behind = await startImport(app.admin, { file: people([3]) });
  await dieWithImport();
  await dieWithImport();
  await startWorker();
  const failure = {
    reason: 'interrupted',
    message: "The service stopped 2 times during this import, so it isn't retried. Nothing was imported.",
  };
  expect(await waitForImport(app.admin, twice)).toMatchObject({ status: 'failed', failure });
  expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  const [event] = await app.database.query<{ reason: string }>(
    "select payload::json ->> 'reason' as reason from events where name = 'import.failed'",
  );
  expect(event).toEqual({ reason: 'interrupted' });
  await expectConsistent(app);
});

test('canceled after a crash, or after two crashes at its report, its file is removed unread', async () => {
  const ids: string[] = [];
  for (const progress of ['deaths_total = 1', 'tidy_attempts = 2', 'tidy_attempts = 1']) {
    const id = await startImport(app.admin, { file: faulty });
    await cancel(id, progress);
    ids.push(id);
  }
  await startWorker();
  for (const id of ids) await isRemoved(id);
  await eventually(async () => expect(await objects(app)).toHaveLength(1)); // the last one's report
  expect(await Promise.all(ids.map(linkOf))).toEqual([null, null, expect.any(String)]);
});

test('while another worker writes the report of a canceled import, others run, and nobody else starts the report', async () => {
  const id = await startImport(app.admin, { file: faulty });
  await cancel(id, "tidy_attempts = 1, tidy_held_until = now() + interval '1 minute'");
  await startWorker();
  for (const serial of [12, 13]) {
    const behind = await startImport(app.admin, { file: people([serial]) });
    expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  }
  const held = await app.database.query('select tidy_attempts, key is null as is_removed from imports where id = $1', [
    id,
  ]);
  expect(held).toEqual([{ tidy_attempts: 1, is_removed: false }]);
  // The other one dies.
  await app.database.query('update imports set tidy_held_until = now() where id = $1', [id]);
  await startImport(app.admin, { file: people([14]) }); // wakes the worker
  await isRemoved(id);
});

test('canceled while its job is parked, the job ends', async () => {
  const id = await startImport(app.admin, { file: people(range(10, 20)) });
  const reason = 'parked: its process ended 4 times while running it';
  const park = `select from graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs where
    task_identifier = 'runImports'), $1)`;
  expect(await app.database.query(park, [reason])).toHaveLength(1);
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  await startWorker();
  await isRemoved(id);
  const jobs = "select last_error from graphile_worker.jobs where task_identifier = 'runImports'";
  await eventually(async () => expect(await app.database.query(jobs)).toEqual([]));
  const behind = await startImport(app.admin, { file: people([31]) });
  expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed' });
});

test('an import that fails repeatedly is given up, and others run', async () => {
  const id = await startImport(app.admin, { file: people([41]) });
  const { folder } = app.config.storage as { folder: string };
  await rm(join(folder, (await keyOf(id))!));
  await app.database.query('update imports set attempts = 8 where id = $1', [id]);
  const next = await startImport(app.admin, { file: people([42]) });
  await startWorker();
  expect(await waitForImport(app.admin, id)).toMatchObject({
    status: 'failed',
    failure: { reason: 'internal_error' },
  });
  expect(await waitForImport(app.admin, next)).toMatchObject({ status: 'completed' });
});
