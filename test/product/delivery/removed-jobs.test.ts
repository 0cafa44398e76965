/** Jobs are removed one by one: several at once could deadlock with a transaction that wakes their subscriptions. */
import pg from 'pg';
import { dropKey, removeJob, wakeWebhooks } from '../../../src/product/webhooks/subscriptions/wake-webhooks.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp(localWebhooks);
});
afterEach(() => app.close());

/** A connection that holds the lock of a job until it ends. */
async function holding(jobId: number): Promise<pg.Client> {
  const client = new pg.Client(app.database.url);
  await client.connect();
  await client.query('begin');
  await client.query('select from graphile_worker._private_jobs where id = $1 for update', [jobId]);
  return client;
}

/** Unlike the state of a session, this changes as soon as a lock is released. */
async function blocked(count: number): Promise<void> {
  await eventually(async () => {
    const [row] = await app.database.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    expect(row!.n).toBe(count);
  });
}

test('turns that end don’t deadlock with a transaction that locks their jobs after their keys were dropped', async () => {
  const { db } = app.database;
  const ids = await Promise.all([1, 2, 3].map(() => addWebhook(app)));
  await wakeWebhooks(db.global, app.company_id, ids);
  const jobs = await app.database.query<{ id: string; key: string }>(
    `with running as (update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker' returning id, key)
     select * from running order by key`,
  );
  const [a, b, c] = jobs.map(({ id }) => Number(id)) as [number, number, number];
  const holdsA = await holding(a);
  // It has read all three with their keys.
  const woken = db.tenant(app.company_id).transaction((tx) => wakeWebhooks(tx.raw, app.company_id, ids));
  await blocked(1);
  for (const id of [b, c]) await dropKey(db.global, id);
  const holdsC = await holding(c);
  const removed = removeJob(db.global, c).then(() => removeJob(db.global, b));
  await blocked(2);
  await holdsA.end();
  await blocked(2); // both by c: the transaction has locked b
  await holdsC.end();
  await Promise.all([woken, removed]);
});

test('a turn removes its own job', async () => {
  await app.database.query(`
    create table removals (statement text);
    create function record_removal() returns trigger language plpgsql security definer as
      $$ begin insert into public.removals values (current_query()); return old; end $$;
    create trigger record_removal before delete on graphile_worker._private_jobs
      for each row when (old.key is null) execute function record_removal()`); // only turns drop their key
  const there = await receiver();
  await subscribe(app, there.url, { events: ['report.created'] });
  const worker = await testWorker(app);
  try {
    await emitReports(app.database.db, app.company_id, 1);
    await there.received(1);
  } finally {
    await worker.stop();
    await there.close();
  }
  const removals = await app.database.query('select distinct statement from removals');
  expect(removals).toEqual([{ statement: 'delete from graphile_worker._private_jobs where id = $1' }]);
});
