/** A long backlog costs no more per delivery than a short one: nobody reads it from one end to the other. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/deliveries.ts';
import { type Receiver, receiver } from '../../helpers/receiver.ts';
import { testWorker } from '../../helpers/worker.ts';

const backlog = 5_000;

let app: TestApp;
let healthy: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  healthy = await receiver();
});
afterAll(async () => {
  await healthy.close();
  await app.close();
});

async function rowsRead(): Promise<number> {
  const [row] = await app.database.query<{ read: string }>(
    "select seq_tup_read as read from pg_stat_user_tables where relname = 'deliveries'",
  );
  return Number(row!.read);
}

test('claims and records find deliveries by an index, however many wait', async () => {
  await subscribe(app, healthy.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, backlog);
  await app.database.query('analyze');
  const before = await rowsRead();
  const worker = await testWorker(app);
  try {
    await healthy.received(backlog / 2);
  } finally {
    await worker.stop(); // its connections end, which tells Postgres what they read
  }
  expect((await rowsRead()) - before).toBeLessThan(4 * backlog);
});
