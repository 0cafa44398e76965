/** The end of a turn: late failures are retried, and attempts that can't be recorded are released. */
import type { ServerResponse } from 'node:http';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp(localWebhooks);
});
afterEach(() => app.close());

test('an attempt that fails after the last claim of its turn is retried', async () => {
  const jobs = (condition: string) =>
    app.database.query(
      `select from graphile_worker.jobs where task_identifier = 'deliverWebhook' and key is not null and ${condition}`,
    );
  const waiting: ServerResponse[] = [];
  const slow = await receiver({ reply: (response) => void waiting.push(response) });
  await subscribe(app, slow.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 1);
  const worker = await testWorker(app);
  const stopped = slow.received(1).then(() => worker.stop());
  try {
    // Before its last claim, a turn gives up its key.
    await eventually(async () => expect([waiting.length, await jobs('true')]).toEqual([1, []]));
  } finally {
    for (const response of waiting) response.writeHead(500).end();
    await stopped;
    await slow.close();
  }
  expect(await jobs('run_at > now()')).toHaveLength(1);
});

test('an attempt that can’t be recorded is sent again, and doesn’t count as a crash', async () => {
  await app.database.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$;
    create trigger fail before insert on attempts for each row execute function fail()`);
  const there = await receiver();
  await subscribe(app, there.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 1);
  const { config, database, base_url: baseUrl } = app;
  const webhooks = { ...config.webhooks, graceMs: 100 };
  const worker = await testWorker({ config: { ...config, webhooks }, database, base_url: baseUrl });
  try {
    await there.received(1);
    await eventually(async () => {
      const released = await database.query('select status, deaths, turn_id from deliveries');
      expect(released).toEqual([{ status: 'pending', deaths: 0, turn_id: null }]);
    });
    await database.query('drop trigger fail on attempts');
    await there.received(2);
  } finally {
    await worker.stop();
    await there.close();
  }
});
