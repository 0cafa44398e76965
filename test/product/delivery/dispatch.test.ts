/** Dispatching turns events into deliveries and jobs, in one process at a time, with few round trips. */
import type { Database } from '../../../src/platform/db/client.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { roundTripProxy } from '../../helpers/round-trip-proxy.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let there: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
beforeEach(async () => {
  there = await receiver();
});
afterEach(async () => {
  await there.close();
  await app.database.query('delete from webhooks');
  await app.database.query('delete from deliveries');
  await app.database.query('delete from graphile_worker._private_jobs');
});
afterAll(() => app.close());

function toolsOf(db: Database) {
  const mail = createMailQueue(app.config.encryption_keys);
  return { db, mail, quotas: createQuotas(app.config.quotas) };
}

test('leaves a company to another process that just numbered its events', async () => {
  const tools = toolsOf(app.database.db);
  await dispatchEvents(tools, app.company_id); // creates the row
  const tenant = app.database.db.tenant(app.company_id);
  let dispatched: unknown = 'not yet';
  await tenant.transaction(async (tx) => {
    await tx.updateTable('event_sequences').set({ last_sequence: 700 }).execute();
    const other = dispatchEvents(tools, app.company_id).then((result) => {
      dispatched = result;
    });
    const hasEnded = () => dispatched !== 'not yet';
    await eventually(async () => expect(hasEnded() || (await lockWaiters(app.database)) > 0).toBe(true));
    expect(dispatched).toBeUndefined();
    await other;
  });
});

test('writes nothing without new events', async () => {
  const tools = toolsOf(app.database.db);
  await subscribe(app, there.url);
  await dispatchEvents(tools, app.company_id);
  const state = () => app.database.query('select xmin::text, last_sequence from event_sequences');
  const before = await state();
  expect(before).toHaveLength(1);
  expect(await dispatchEvents(tools, app.company_id)).toMatchObject({ more: false });
  expect(await state()).toEqual(before);
});

test('reports errors of the database', async () => {
  await app.database.query('alter table event_sequences rename to sequences');
  try {
    await expect(dispatchEvents(toolsOf(app.database.db), app.company_id)).rejects.toThrow('event_sequences');
  } finally {
    await app.database.query('alter table sequences rename to event_sequences');
  }
});

test('finds events that weren’t announced by a notification', async () => {
  await app.database.query(
    `insert into events (company_id, id, name, event_type) values ($1, gen_random_uuid(), 'report.created', 'X')`,
    [app.company_id],
  );
  const worker = await testWorker(app);
  try {
    await eventually(async () => {
      expect(await app.database.query('select id from events where sequence is null')).toEqual([]);
    });
  } finally {
    await worker.stop();
  }
});

/** The round trips that delay an event: numbering, creating deliveries, and adding the job. */
test.each([
  [true, 3],
  [false, 6],
])('with pipelining %s, an event takes %i round trips until its job exists', async (pipelining, expected) => {
  const way = await roundTripProxy(app.database.url, 'for update skip locked');
  const one = openTestDatabase(way.url, 1, async () => {}, { pipelining });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const tools = toolsOf(one.db);
  const dispatched = async () => {
    await emitReports(app.database.db, app.company_id, 1);
    const before = way.roundTrips();
    expect([...(await dispatchEvents(tools, app.company_id))!.woken]).toEqual([id]);
    return way.roundTrips() - before;
  };
  await dispatched(); // connects, and counts pending deliveries
  expect(await dispatched()).toBe(expected);
  await one.drop();
  await way.close();
});

test('many events of a subscription get one job, added in the transaction that creates their deliveries', async () => {
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const jobs = () =>
    app.database.query('select id, key, flags from graphile_worker._private_jobs where key is not null');
  for (let n = 0; n < 3; n++) {
    await emitReports(app.database.db, app.company_id, 20);
    await dispatchEvents(toolsOf(app.database.db), app.company_id);
    expect(await jobs()).toMatchObject([{ key: `deliver:${id}`, flags: { [`company:${app.company_id}`]: true } }]);
    const transactions = `select 1 from graphile_worker._private_jobs where key is not null
      and xmin::text in (select xmin::text from deliveries)`;
    expect(await app.database.query(transactions)).toHaveLength(1);
  }
  expect(await statuses(app.database, id)).toEqual({ pending: 60 });
});
