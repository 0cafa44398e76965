/** Connections to the database are lost: nothing is lost or stays locked, and no intervention is needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let there: Receiver;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp({ ...localWebhooks, WEBHOOK_TIMEOUT_MS: '4000', WEBHOOK_GRACE_MS: '2000' });
  there = await receiver();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await there.close();
  await app.close();
});

/** Repeats a change if the test's own connection is killed, unless the table shows that it committed. */
async function emitPatiently(): Promise<void> {
  for (;;) {
    try {
      await emitReports(app.database.db, app.company_id, 5);
      return;
    } catch {
      await sleep(20);
    }
  }
}

test('connections are killed under load', async () => {
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const killer = new pg.Client(app.database.url);
  await killer.connect();
  let killed = 0;
  for (let n = 0; n < 8; n++) {
    const { rowCount } = await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
    );
    killed += rowCount ?? 0;
    await emitPatiently();
    await sleep(60);
  }
  await killer.end();
  expect(killed).toBeGreaterThan(5);

  const rows = await app.database.query<{ id: string }>("select id from events where name = 'report.created'");
  const events = rows.map((row) => row.id);
  await eventually(async () => {
    expect(await statuses(app.database, id)).toEqual({ succeeded: events.length });
  });
  const ids = there.requests.map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);
  expect([...new Set(ids)].sort()).toEqual([...events].sort());
  await eventually(async () => {
    const [jobs] = await app.database.query<{ n: number }>(
      'select count(*)::int as n from graphile_worker.jobs where locked_at is not null',
    );
    expect(jobs!.n).toBe(0);
  });
});
