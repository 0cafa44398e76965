/** Older code leaves and logs jobs queued by newer code. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { measureBacklog } from '../../src/platform/observe/backlog.ts';
import { newestVersion } from '../../src/platform/queue/job-versions.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { testWorker } from '../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Job {
  task: string;
  attempts: number;
  last_error: string | null;
}

const waiting = () =>
  app.database.query<Job>(
    'select task_identifier as task, attempts, last_error from graphile_worker.jobs order by task_identifier',
  );

const add = (task: string, payload: object, flags: string[] | null = null) =>
  app.database.query('select from graphile_worker.add_job($1, $2::json, flags => $3::text[])', [
    task,
    JSON.stringify(payload),
    flags,
  ]);

test('jobs of a newer version or an unknown task stay queued', async () => {
  const v = newestVersion + 1;
  await add('sendMail', { v, sealed: 'in another way' }, [`v${v}`]);
  await add('sendPostcard', { v: newestVersion, to: 'somewhere' });
  await add('endEmployments', {});
  const lines: { msg: string; tasks?: string[] }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const worker = await testWorker(app, { log });
  const remaining = [
    { task: 'sendMail', attempts: 0, last_error: null },
    { task: 'sendPostcard', attempts: 0, last_error: null },
  ];
  await eventually(async () => expect(await waiting()).toEqual(remaining)); // the last one, a known job, is done
  const warnings = () => lines.filter(({ msg }) => msg.includes('newer version'));
  await eventually(() => expect(warnings()).toHaveLength(1));
  expect(warnings()[0]!.tasks).toEqual(['sendMail', 'sendPostcard']);
  const registry = new Registry();
  const backlog = measureBacklog(registry, app.database.url);
  const figures = await registry.metrics();
  await backlog.close();
  for (const task of ['sendMail', 'sendPostcard']) {
    expect(figures).toContain(`jobs_for_newer_version{task="${task}"} 1`);
    expect(figures).toContain(`jobs_waiting{task="${task}"} 0`);
    expect(figures).toContain(`jobs_oldest_due_age_seconds{task="${task}"} 0`);
  }
  await worker.stop();
  expect(await waiting()).toEqual(remaining);
  await app.database.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
});

test('a newer job without its flag fails instead of running as if it were known', async () => {
  await add('sendMail', { v: newestVersion + 1, sealed: 'in another way' });
  const worker = await testWorker(app);
  await eventually(async () => expect((await waiting())[0]!.attempts).toBeGreaterThan(0));
  await eventually(async () => expect((await waiting())[0]!.last_error).toMatch(/created by a newer version/));
  await worker.stop();
});

test('every payload has its version', async () => {
  await app.admin.post('/v1/collaborators', {
    name: 'Ana Lima',
    email: 'ana.lima@example.com',
    position: 'Driver',
    department: 'Fleet',
    send_invitation: true,
  });
  const rows = await app.database.query<{ task: string; v: number | null }>(
    `select t.identifier as task, (j.payload->>'v')::int as v
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`,
  );
  expect(rows.map(({ task }) => task)).toContain('sendMail');
  expect(rows.filter(({ v }) => v === null || v < 1)).toEqual([]);
});
