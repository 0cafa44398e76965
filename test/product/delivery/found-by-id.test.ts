/** A long backlog costs no more per delivery than a short one: nobody reads it from one end to the other. */
import { randomUUID } from 'node:crypto';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { claimDue } from '../../../src/product/delivery/claim-deliveries.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/deliveries.ts';
import { type Receiver, receiver } from '../../helpers/receiver.ts';
import { testWorker } from '../../helpers/worker.ts';

const backlog = 5_000;

let app: TestApp;
let healthy: Receiver;
beforeEach(async () => {
  app = await testApp(localWebhooks);
  healthy = await receiver();
});
afterEach(async () => {
  await healthy.close();
  await app.close();
});

/** @param figure of Postgres' statistics of the deliveries */
async function read(figure: 'seq_tup_read' | 'idx_scan'): Promise<number> {
  const [row] = await app.database.query<{ read: string }>(
    `select ${figure} as read from pg_stat_user_tables where relname = 'deliveries'`,
  );
  return Number(row!.read);
}

test('claims and records find deliveries by an index, however many wait', async () => {
  await subscribe(app, healthy.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, backlog);
  await app.database.query('analyze');
  const before = await read('seq_tup_read');
  const worker = await testWorker(app);
  try {
    await healthy.received(backlog / 2);
  } finally {
    await worker.stop(); // its connections end, which tells Postgres what they read
  }
  // Who looks for what is overdue reads them all, a few times. A claim or a record that did would have read ten times as many.
  expect((await read('seq_tup_read')) - before).toBeLessThan(10 * backlog);
});

/**
 * What Postgres knows of such companies: each has one event.
 * @returns one of so many subscriptions
 */
async function subscribeToLittle(subscriptions: number): Promise<string> {
  const ids: string[] = [];
  for (let n = 0; n < subscriptions; n++) {
    ids.push((await subscribe(app, `${healthy.url}${n}`, { events: ['report.created'] })).id);
  }
  await app.database.query('delete from events');
  await emitReports(app.database.db, app.company_id, 1);
  await dispatch();
  await app.database.query('analyze');
  return ids[0]!;
}

async function dispatch(statement_timeout_ms = 60_000): Promise<void> {
  const mail = createMailQueue(app.config.encryption_keys);
  const one = openTestDatabase(app.database.url, 1, async () => {}, { statement_timeout_ms });
  try {
    await dispatchEvents({ db: one.db, mail, quotas: createQuotas(app.config.quotas) }, app.company_id);
  } finally {
    await one.drop();
  }
}

describe('a company with many events, where Postgres knows of one', () => {
  test('numbers are given in the time of a few', async () => {
    await subscribeToLittle(1);
    await emitReports(app.database.db, app.company_id, 15_000);
    await dispatch(1_000);
    expect(await app.database.query('select from events where sequence is not null')).toHaveLength(5_001);
  });

  test('a claim looks up no more than it takes', async () => {
    const webhook_id = await subscribeToLittle(5);
    await emitReports(app.database.db, app.company_id, 1_000);
    await dispatch();
    const before = await read('idx_scan');
    const one = openTestDatabase(app.database.url, 1, async () => {});
    const limits = { most: 20, most_under_way: 100, lease_ms: 60_000, courier_id: randomUUID(), gone: [] };
    const line = { company_id: app.company_id, webhook_id };
    const { deliveries } = await claimDue(one.db.tenant(app.company_id), line, limits);
    await one.drop();
    expect(deliveries).toHaveLength(20);
    expect((await read('idx_scan')) - before).toBeLessThan(100);
  });
});
