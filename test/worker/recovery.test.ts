/** Jobs of dead workers are released, and leave nothing behind. */
import pg from 'pg';
import { pino } from 'pino';
import { createLogger } from '../../src/platform/observe/log.ts';
import { startUpkeep } from '../../src/worker/recovery.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/eventually.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await database.drop();
});

interface Job {
  task_identifier: string;
  key: string | null;
  attempts: number;
  locked_by: string | null;
}

const jobs = () =>
  database.query<Job>('select task_identifier, key, attempts, locked_by from graphile_worker.jobs order by id');
const add = (task: string, key: string) =>
  database.query("select graphile_worker.add_job($1, '{}'::json, job_key => $2, max_attempts => 5)", [task, key]);
const lockAll = (age: string) =>
  database.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-of-old', locked_at = now() - $1::interval, attempts = 1`,
    [age],
  );

test('releases jobs of a dead worker, and removes wakeups that were replaced in the meantime', async () => {
  for (const task of ['deliverWebhook', 'runExport', 'runImports', 'sendMail']) await add(task, `${task}:1`);
  await lockAll('3 minutes');
  for (const task of ['deliverWebhook', 'runExport', 'runImports']) await add(task, `${task}:1`);
  expect(await jobs()).toHaveLength(7);
  const upkeep = startUpkeep({
    pool: database.pool,
    every_ms: 50,
    job_lease_s: 120,
    workers: () => [],
    log: createLogger('silent'),
  });
  try {
    await eventually(async () => {
      expect(await jobs()).toEqual([
        { task_identifier: 'sendMail', key: 'sendMail:1', attempts: 1, locked_by: null },
        { task_identifier: 'deliverWebhook', key: 'deliverWebhook:1', attempts: 0, locked_by: null },
        { task_identifier: 'runExport', key: 'runExport:1', attempts: 0, locked_by: null },
        { task_identifier: 'runImports', key: 'runImports:1', attempts: 0, locked_by: null },
      ]);
    });
  } finally {
    await upkeep.stop();
  }
});

test('notifies workers of released jobs like of new ones', async () => {
  await add('sendMail', 'one');
  await add('sendMail', 'two');
  await lockAll('3 minutes');
  const notifications: { count: number; r: number }[] = [];
  const client = await database.pool.connect();
  client.on('notification', ({ payload }) => notifications.push(JSON.parse(payload!)));
  await client.query('listen "jobs:insert"');
  const upkeep = startUpkeep({
    pool: database.pool,
    every_ms: 50,
    job_lease_s: 120,
    workers: () => [],
    log: createLogger('silent'),
  });
  try {
    await eventually(async () => expect(notifications).toEqual([{ count: 2, r: expect.any(Number) }]));
  } finally {
    await upkeep.stop();
    client.release(true);
  }
});

test('releases them even if other checks always fail', async () => {
  await database.query('alter table exports rename to gone');
  await add('sendMail', 'one');
  const failed = Promise.withResolvers<void>();
  const log = pino({ level: 'warn' }, { write: () => failed.resolve() });
  const upkeep = startUpkeep({ pool: database.pool, every_ms: 50, job_lease_s: 120, workers: () => [], log });
  try {
    await failed.promise;
    await lockAll('3 minutes');
    await eventually(async () => expect(await jobs()).toMatchObject([{ key: 'one', locked_by: null }]));
  } finally {
    await upkeep.stop();
  }
});

test('keeps jobs that a worker took a while ago', async () => {
  await add('sendMail', 'mail');
  await lockAll('1 minute');
  const upkeep = startUpkeep({
    pool: database.pool,
    every_ms: 50,
    job_lease_s: 120,
    workers: () => [],
    log: createLogger('silent'),
  });
  await add('deliverWebhook', 'canary');
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'other', locked_at = now() - interval '3 minutes' where key = 'canary'`,
  );
  try {
    // When the canary is released, upkeep has checked both.
    await eventually(async () => {
      expect((await jobs()).find(({ key }) => key === 'canary')).toMatchObject({ locked_by: null });
    });
    expect((await jobs()).find(({ key }) => key === 'mail')).toMatchObject({ locked_by: 'worker-of-old' });
  } finally {
    await upkeep.stop();
  }
});

test('keeps jobs of a worker with a heartbeat, however long they take', async () => {
  await add('eraseDeleted', 'long');
  await lockAll('10 minutes');
  const upkeep = startUpkeep({
    pool: database.pool,
    every_ms: 50,
    job_lease_s: 120,
    workers: () => ['worker-of-old'],
    log: createLogger('silent'),
  });
  await add('deliverWebhook', 'canary');
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'other', locked_at = now() - interval '3 minutes' where key = 'canary'`,
  );
  try {
    await eventually(async () => {
      expect((await jobs()).find(({ key }) => key === 'canary')).toMatchObject({ locked_by: null });
    });
    expect((await jobs()).find(({ key }) => key === 'long')).toMatchObject({ locked_by: 'worker-of-old' });
  } finally {
    await upkeep.stop();
  }
});

test('two concurrent checks count one death', async () => {
  await add('sendMail', 'mail');
  await lockAll('3 minutes');
  const options = {
    pool: database.pool,
    every_ms: 50,
    job_lease_s: 120,
    workers: () => [],
    log: createLogger('silent'),
  };
  const both = [startUpkeep(options), startUpkeep(options)];
  try {
    await eventually(async () => expect(await jobs()).toMatchObject([{ locked_by: null }]));
  } finally {
    await Promise.all(both.map((upkeep) => upkeep.stop()));
  }
  expect(await database.query('select deaths from job_deaths')).toEqual([{ deaths: 1 }]);
});

describe('a worker whose process has no session', () => {
  const session = 'collaborator-api-upkeep:ours';
  const locked = async (applicationName: string | null) => {
    await add('sendMail', 'mail');
    await lockAll('5 seconds');
    if (applicationName) {
      await database.query(`insert into worker_pools (id, seen_at, session) values ('worker-of-old', now(), $1)`, [
        applicationName,
      ]);
    }
  };
  const looking = async (everyMs: number) => {
    const ownPool = new pg.Pool({ connectionString: database.url, max: 2, application_name: session });
    ownPool.on('error', () => {}); // the database may be dropped before the last connection closes
    const log = createLogger('silent');
    const upkeep = startUpkeep({
      pool: ownPool,
      every_ms: everyMs,
      job_lease_s: 120,
      workers: () => ['us'],
      session,
      log,
    });
    return async () => {
      await upkeep.stop();
      await ownPool.end();
    };
  };

  test.each([
    ['has ended', 'collaborator-api-upkeep:theirs'],
    ['is not known since the database crashed', null],
  ])('%s: its jobs are released long before its lease expires', async (_, applicationName) => {
    await locked(applicationName);
    const stop = await looking(50);
    await eventually(async () => expect(await jobs()).toMatchObject([{ locked_by: null }]));
    await stop();
  });

  test('keeps its jobs as long as there is a session', async () => {
    const otherClient = new pg.Client({
      connectionString: database.url,
      application_name: 'collaborator-api-upkeep:theirs',
    });
    await otherClient.connect();
    await locked('collaborator-api-upkeep:theirs');
    await add('sendMail', 'canary');
    await database.query(
      `update graphile_worker._private_jobs set locked_by = 'other', locked_at = now() - interval '3 minutes' where key = 'canary'`,
    );
    const stop = await looking(50);
    await eventually(async () => {
      expect((await jobs()).find(({ key }) => key === 'canary')).toMatchObject({ locked_by: null });
    });
    expect((await jobs()).find(({ key }) => key === 'mail')).toMatchObject({ locked_by: 'worker-of-old' });
    await stop();
    await otherClient.end();
  });
});
