/** Imports that crash processes: retried once, then given up, so that they don't take down all workers. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
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

/** Enough rows to kill a process during the check. */
const rows = 20_000;

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(async () => {
  killProcesses();
  await app.close();
});

const workerProcess = (settings: Record<string, string> = {}) => {
  const { folder } = app.config.storage as { folder: string };
  const where = { DATABASE_URL: app.database.url, STORAGE_URL: `file:${folder}`, BASE_URL: app.base_url };
  return startProcess({ ...where, ...settings }, ['worker']);
};

const jobs = "select last_error from graphile_worker.jobs where task_identifier = 'runImports'";

interface State {
  status: string;
  attempts: number;
  key: string | null;
}

async function stateOf(id: string): Promise<State> {
  const [row] = await app.database.query<State>('select status, attempts, key from imports where id = $1', [id]);
  return row!;
}

/** Kills the worker that starts the import before it makes progress. */
async function killAtOnce(id: string, attempts: number): Promise<void> {
  const worker = workerProcess();
  await eventually(async () => expect(await stateOf(id)).toMatchObject({ status: 'validating', attempts }));
  await worker.kill();
  expect((await stateOf(id)).status).toBe('validating');
  await app.database.query('update imports set due_at = now() where id = $1', [id]); // as if its lease had ended
}

test.each([
  ['dry_run', { dry_run: true }],
  ['abort', { on_error: 'abort' }],
  ['continue', {}],
])('after two crashes (%s), it fails with a reason, and others run', async (_, how) => {
  const id = await startImport(app.admin, { file: people(range(rows)), ...how });
  const behind = await startImport(app.admin, { file: people([rows + 1]) });
  await killAtOnce(id, 1);
  await killAtOnce(id, 2);
  workerProcess();
  const failure = {
    reason: 'interrupted',
    message: "The service stopped 2 times during this import, so it isn't retried. Nothing was imported.",
  };
  expect(await waitForImport(app.admin, id)).toMatchObject({ status: 'failed', failure });
  expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  const [event] = await app.database.query<{ reason: string }>(
    "select payload::json ->> 'reason' as reason from events where name = 'import.failed'",
  );
  expect(event).toEqual({ reason: 'interrupted' });
  await expectConsistent(app);
});

test('after one crash, the next process completes it', async () => {
  const id = await startImport(app.admin, { file: people(range(rows)), dry_run: true });
  await killAtOnce(id, 1);
  workerProcess();
  expect(await waitForImport(app.admin, id)).toMatchObject({ status: 'completed', counts: { created: rows } });
});

test('canceled after a crash, its file is removed unread', async () => {
  const faulty = range(rows).map((serial) => [`Person ${serial}`, 'no address', 'Planner', 'Operations']);
  const id = await startImport(app.admin, { file: csv([requiredHeaders, ...faulty]), dry_run: true });
  await killAtOnce(id, 1);
  await app.database.query('update imports set error_count = 1, deaths_total = 1'); // as if it had made progress
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  workerProcess();
  await eventually(async () => expect(await stateOf(id)).toMatchObject({ status: 'cancelled', key: null }));
  await eventually(async () => expect(await objects(app)).toEqual([]));
  const { body } = await app.admin.get(`/v1/imports/${id}`).expect(200);
  expect(body).toMatchObject({ status: 'cancelled', error_report_url: null });
});

test('canceled, with two crashes at its report, the third process removes the file, and others run', async () => {
  const { folder } = app.config.storage as { folder: string };
  const faulty = range(50).map((serial) => [`Person ${serial}`, 'no address', 'Planner', 'Operations']);
  const id = await startImport(app.admin, { file: csv([requiredHeaders, ...faulty]) });
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  const behind = await startImport(app.admin, { file: people([1]) });
  await app.database.query('update imports set error_count = 1 where id = $1', [id]);
  // A file that never ends, to have time to kill its reader.
  const { key } = await stateOf(id);
  await rm(join(folder, key!));
  await promisify(execFile)('mkfifo', [join(folder, key!)]);
  // A busy machine may delay the heartbeat of a healthy worker by a second.
  const patient = { JOB_LEASE_S: '4', WORKER_UPKEEP_MS: '50' };
  const tries = async () =>
    (await app.database.query<{ tidy_attempts: number }>('select tidy_attempts from imports where id = $1', [id]))[0]!;
  for (const tidyAttempts of [1, 2]) {
    const worker = workerProcess(patient);
    await eventually(async () => expect(await tries()).toEqual({ tidy_attempts: tidyAttempts }));
    await worker.kill();
    await app.database.query('update imports set tidy_held_until = now() where id = $1', [id]); // as if its lease had ended
  }
  workerProcess(patient);
  await eventually(async () => expect(await stateOf(id)).toMatchObject({ status: 'cancelled', key: null }));
  expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  await eventually(async () => expect(await app.database.query(jobs)).toEqual([]));
});

test('canceled, with a slow report, others run, and nobody else starts the report', async () => {
  const { folder } = app.config.storage as { folder: string };
  const id = await startImport(app.admin, { file: people([1]) });
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  await app.database.query('update imports set error_count = 1 where id = $1', [id]);
  const { key } = await stateOf(id);
  await rm(join(folder, key!));
  await promisify(execFile)('mkfifo', [join(folder, key!)]); // never ends
  const tries = 'select tidy_attempts from imports where id = $1';
  workerProcess({ WORKER_UPKEEP_MS: '50' });
  await eventually(async () => expect(await app.database.query(tries, [id])).toEqual([{ tidy_attempts: 1 }]));
  for (const serial of [2, 3, 4]) {
    const behind = await startImport(app.admin, { file: people([serial]) });
    expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  }
  expect(await app.database.query(tries, [id])).toEqual([{ tidy_attempts: 1 }]);
  expect((await stateOf(id)).key).toBe(key);
});

test('canceled while its job is parked, the job ends', async () => {
  const id = await startImport(app.admin, { file: people(range(10)) });
  const reason = 'parked: its process ended 4 times while running it';
  const park = `select from graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs where
    task_identifier = 'runImports'), $1)`;
  expect(await app.database.query(park, [reason])).toHaveLength(1);
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  workerProcess();
  await eventually(async () => expect(await stateOf(id)).toMatchObject({ status: 'cancelled', key: null }));
  await eventually(async () => expect(await app.database.query(jobs)).toEqual([]));
  const behind = await startImport(app.admin, { file: people([1]) });
  expect(await waitForImport(app.admin, behind)).toMatchObject({ status: 'completed' });
});

test('the report of a canceled import is attempted at most twice', async () => {
  const faulty = range(50).map((serial) => [`Person ${serial}`, 'no address', 'Planner', 'Operations']);
  const id = await startImport(app.admin, { file: csv([requiredHeaders, ...faulty]) });
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  await app.database.query('update imports set error_count = 1, tidy_attempts = 2');
  workerProcess();
  await eventually(async () => expect(await stateOf(id)).toMatchObject({ status: 'cancelled', key: null }));
  const { body } = await app.admin.get(`/v1/imports/${id}`).expect(200);
  expect(body).toMatchObject({ error_report_url: null });
});
