/** The queue's runner, when its connections are lost in the middle of many jobs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateQueue, superviseRunner } from '../../src/jobs/runner.ts';
import { createLogger } from '../../src/log.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';

const jobs = 6_000;
const losses = 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(2);
  await migrateQueue(database.url);
});
afterAll(() => database.drop());

test('every job is done, however many batches of them lose their connection at the same moment', async () => {
  const done = new Set<number>();
  const runner = await superviseRunner({
    url: database.url,
    concurrency: 50,
    tasks: {
      async note(payload) {
        await sleep(Math.random() * 20); // so that they end in many batches at once
        done.add((payload as { n: number }).n);
      },
    },
    crontab: '',
    log: createLogger('silent'),
  });
  try {
    await database.query(
      `select graphile_worker.add_job('note', json_build_object('n', n)) from generate_series(1, ${jobs}) n`,
    );
    for (let loss = 0; loss < losses; loss++) {
      await sleep(80);
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'collaborator-api-jobs'`,
      );
    }
    await eventually(() => expect(done.size).toBe(jobs), 45_000);
    await eventually(async () => {
      const [row] = await database.query<{ left: number }>(
        'select count(*)::integer as left from graphile_worker._private_jobs',
      );
      expect(row!.left).toBe(0);
    }, 45_000);
  } finally {
    await runner.stop();
  }
}, 100_000);
