/** Jobs of a dead process are released within seconds, because its workers are known and its session has ended. */
import pg from 'pg';
import { freeAbandonedJobs, workersWithoutSession } from '../../src/worker/dead-workers.ts';
import { superviseRunner } from '../../src/worker/runner.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { fixStatistics, pagesOfPlan, queriesOf } from '../helpers/database/explain.ts';
import { lockWaiters } from '../helpers/database/lock-waiters.ts';
import { eventually } from '../helpers/eventually.ts';
import { testLog } from '../helpers/log.ts';
import { testWorker } from '../helpers/worker.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  await app.database.query("select graphile_worker.add_job('sweepFiles', '{}'::json)");
});
afterEach(() => app.close());

test('a dead process is recognized if the database URL has an application_name for all sessions', async () => {
  await app.database.query(`
    with taken as (update graphile_worker._private_jobs set locked_by = 'worker-of-old', locked_at = now(), attempts = 1)
    insert into worker_pools (id, seen_at, session) values ('worker-of-old', now(), 'collaborator-api-upkeep:ended')`);
  const url = new URL(app.database.url);
  url.searchParams.set('application_name', 'people');
  const named = { ...app, database: { ...app.database, url: url.href } };
  const worker = await testWorker(named, { job_lease_s: 3_600 });
  try {
    const locked = "select from graphile_worker.jobs where locked_by = 'worker-of-old'";
    await eventually(async () => expect(await app.database.query(locked)).toEqual([]));
  } finally {
    await worker.stop();
  }
});

test('a worker takes no job before it is known, because it may die right after', async () => {
  const lock = new pg.Client(app.database.url);
  await lock.connect();
  await lock.query('begin; lock table worker_pools in share mode');
  const worker = await testWorker(app);
  const left = async () =>
    (
      await app.database.query(
        "select from graphile_worker.jobs where task_identifier = 'sweepFiles' and locked_by is null",
      )
    ).length;
  try {
    // Both runners wait, or one has taken the job.
    await eventually(async () => expect((await lockWaiters(app.database)) === 2 || (await left()) === 0).toBe(true));
    expect(await left()).toBe(1);
    await lock.query('commit');
    await eventually(async () => expect(await left()).toBe(0));
  } finally {
    await lock.end();
    await worker.stop();
  }
});

test('a worker that can’t be made known tries again at its next fetch', async () => {
  const ids: string[] = [];
  const ended = Promise.withResolvers<void>();
  const runner = await superviseRunner({
    url: app.database.url,
    concurrency: 1,
    poll_ms: 50,
    crontab: '',
    log: testLog(),
    tasks: { sweepFiles: async () => ended.resolve() },
    register: async (id) => {
      if (ids.push(id) === 1) throw new Error('the connection was lost');
    },
  });
  try {
    await ended.promise;
    expect(ids).toEqual([ids[0], ids[0]]);
  } finally {
    await runner.stop();
  }
});

test('finding dead workers reads no waiting jobs', async () => {
  const { database } = app;
  await database.query("select graphile_worker.add_job('sweepFiles', '{}'::json) from generate_series(1, 5000)");
  await fixStatistics(database, ['graphile_worker._private_jobs', 'worker_pools']);
  const sent = await queriesOf(/distinct jobs.locked_by/, async () => {
    await workersWithoutSession(database.pool, '', 1); // as the session that explains
    await freeAbandonedJobs(database.pool, 60, []);
  });
  expect(sent).toHaveLength(2);
  for (const statement of sent) expect(await pagesOfPlan(database, statement)).toBeLessThan(20);
});
