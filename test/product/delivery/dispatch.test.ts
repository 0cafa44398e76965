/** From events to deliveries: by one process at a time, in two round trips, and what is first is claimed at once. */
import { CompiledQuery } from 'kysely';
import { Registry } from 'prom-client';
import type { Database } from '../../../src/platform/db/client.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { createCourier } from '../../../src/product/delivery/courier.ts';
import { createDeliveryMeter } from '../../../src/product/delivery/delivery-meter.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { createPresence } from '../../../src/product/delivery/presence.ts';
import { createTransport, type Transport } from '../../../src/product/delivery/transport.ts';
import { createWebhookSettings } from '../../../src/product/webhooks/webhook-settings.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { countingWay } from '../../helpers/counting-way.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/deliveries.ts';
import { eventually } from '../../helpers/eventually.ts';
import { lockWaiters } from '../../helpers/lock-waiters.ts';
import { type Receiver, receiver } from '../../helpers/receiver.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let there: Receiver;
const transports: Transport[] = [];
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
beforeEach(async () => {
  there = await receiver();
});
afterEach(async () => {
  await there.close();
  for (const transport of transports.splice(0)) await transport.close();
  await app.database.query('delete from webhooks');
  await app.database.query('delete from deliveries');
});
afterAll(() => app.close());

function toolsOf(db: Database) {
  const mail = createMailQueue(app.config.encryption_keys);
  return { db, mail, quotas: createQuotas(app.config.quotas) };
}

/** Who sends, with places for so many requests. */
function courierOf(db: Database, inFlight = 10) {
  const { allow_private: allowPrivate, timeout_ms: timeoutMs } = app.config.webhooks;
  const transport = createTransport({ allow_private: allowPrivate, timeout_ms: timeoutMs });
  transports.push(transport);
  return createCourier({
    ...app.config.webhooks,
    inFlight,
    settings: createWebhookSettings(app.config),
    transport,
    presence: createPresence(1_000),
    db,
    mail: createMailQueue(app.config.encryption_keys),
    meter: createDeliveryMeter(new Registry()),
    tracer: undefined,
    log: createLogger('silent'),
  });
}

test('a company whose numbers another process has just given is left to it', async () => {
  const tools = toolsOf(app.database.db);
  await dispatchEvents(tools, app.company_id); // makes the row
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

test('where nothing is new, nothing is written', async () => {
  const tools = toolsOf(app.database.db);
  await subscribe(app, there.url);
  await dispatchEvents(tools, app.company_id);
  const state = () => app.database.query('select xmin::text, last_sequence from event_sequences');
  const before = await state();
  expect(await dispatchEvents(tools, app.company_id)).toMatchObject({ more: false });
  expect(await state()).toEqual(before);
});

test('an event that nobody announced is found by a look', async () => {
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

/** What numbers, makes and claims, and not what waits for it: how often an event waits for Postgres on its way. */
test.each([
  [true, 2],
  [false, 6],
])('pipelining %s: an event waits %i times, its first attempt included', async (pipelining, expected) => {
  const way = await countingWay(app.database.url, 'for update skip locked');
  const one = openTestDatabase(way.url, 1, async () => {}, { pipelining });
  await subscribe(app, there.url, { events: ['report.created'] });
  const tools = toolsOf(one.db);
  const courier = courierOf(one.db);
  const dispatched = async () => {
    await emitReports(app.database.db, app.company_id, 1);
    const before = way.asked();
    const { woken } = (await dispatchEvents({ ...tools, courier }, app.company_id))!;
    expect([...woken]).toEqual([]);
    return way.asked() - before;
  };
  await dispatched(); // connects, and counts what waits
  await there.received(1);
  await eventually(async () => expect(await statuses(app.database)).toEqual({ succeeded: 1 }));
  expect(await dispatched()).toBe(expected);
  await there.received(2);
  await courier.drain();
  await one.drop();
  await way.close();
});

test('the first attempt is claimed by the transaction that makes the delivery', async () => {
  const { db } = app.database;
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const courier = courierOf(db, 4); // of which a company gets half
  const emitted = await emitReports(db, app.company_id, 5);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await there.close();
  there = await receiver({ answer: (response) => void answered.then(() => response.writeHead(204).end()) });
  await app.database.query('update webhooks set url = $1 where id = $2', [there.url, id]);
  await dispatchEvents({ ...toolsOf(db), courier }, app.company_id);
  const arrived = await there.received(2);
  // The oldest first; a row that two transactions had written would bear the number of the second.
  const rows = await app.database.query(
    `select d.status, d.xmin = e.xmin as together from deliveries d join events e on e.company_id = d.company_id and e.id = d.event_id
     where d.company_id = $1 and d.webhook_id = $2 order by d.event_id`,
    [app.company_id, id],
  );
  expect(rows.map(({ together }) => together)).toEqual(Array(5).fill(true));
  expect(rows.map(({ status }) => status).slice(0, 2)).toEqual(['delivering', 'delivering']);
  const first = arrived.slice(0, 2).map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);
  expect(first.toSorted()).toEqual(emitted.slice(0, 2).toSorted());
  answer();
  await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: 5 }));
  await courier.drain();
});

test('what is claimed in a transaction that does not commit is given back', async () => {
  const { db } = app.database;
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await emitReports(db, app.company_id, 1);
  await dispatchEvents(toolsOf(db), app.company_id);
  const courier = courierOf(db, 2); // one of which a company gets
  const undone = db.tenant(app.company_id).transaction(async (tx) => {
    const claim = courier.claimIn(tx, id)!;
    expect(courier.claimIn(tx, id)).toBeUndefined();
    try {
      await tx.ask(CompiledQuery.raw('select 1 / $1::int', [0]));
    } catch (error) {
      claim.giveBack();
      throw error;
    }
  });
  await expect(undone).rejects.toMatchObject({ code: '22012' });
  expect(await statuses(app.database, id)).toEqual({ pending: 1 });
  expect(there.requests).toHaveLength(0);
  await eventually(() => expect(courier.wake({ company_id: app.company_id, webhook_id: id })).toBe(true));
  await there.received(1);
  await courier.drain();
});
