/** Retention of events and deliveries: 30 days. */
import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { pino } from 'pino';
import { createCompany } from '../../src/product/companies/companies.ts';
import { removeOldEvents, removeOldEventsOf } from '../../src/worker/tasks/cleanup/removeOldEvents.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';

let database: TestDatabase;
let ownCompany: string;
let otherCompany: string;

beforeAll(async () => {
  database = await testDatabase();
  const admin = { email: 'ana@example.com', position: 'x', department: 'y', password: 'correct horse battery staple' };
  ownCompany = (await createCompany(database.db, 'Verde Logística', { ...admin, name: 'Ana' })).company.id;
  otherCompany = (await createCompany(database.db, 'Nordwind Spedition', { ...admin, name: 'Ben' })).company.id;
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const table of ['attempts', 'deliveries', 'webhooks', 'events']) await database.query(`delete from ${table}`);
});

const remove = (limit?: number) => removeOldEventsOf(database.db.tenant(ownCompany), limit);

interface EventFields {
  company_id?: string;
  daysOld: number;
  /** Null if not dispatched yet. */
  sequence?: number | null;
}

let sequence = 0;
async function event({
  company_id: companyId = ownCompany,
  daysOld,
  sequence: eventSequence = ++sequence,
}: EventFields): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into events (company_id, id, name, event_type, payload, sequence, created_at)
     values ($1, $2, 'collaborator.created', 'CollaboratorCreated', '{}', $3, now() - $4 * interval '1 day')`,
    [companyId, id, eventSequence, daysOld],
  );
  return id;
}

async function webhook(companyId = ownCompany): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into webhooks (company_id, id, url, events, payload_format, secrets_encrypted)
     values ($1, $2, 'https://hooks.example/', '{*}', 'envelope', 'x')`,
    [companyId, id],
  );
  return id;
}

interface DeliveryFields {
  company_id?: string;
  webhook_id: string;
  event_id: string;
  daysOld: number;
  status?: string;
  /** When its lease expires or its next attempt is due. */
  dueInS?: number;
}

async function delivery(fields: DeliveryFields): Promise<string> {
  const {
    company_id: companyId = ownCompany,
    webhook_id: webhookId,
    event_id: eventId,
    daysOld,
    status = 'succeeded',
    dueInS = 60,
  } = fields;
  const id = randomUUID();
  await database.query(
    `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status, due_at, created_at)
     values ($1, $2, $3, $4, 'collaborator.created', 'envelope', $5,
       case when $5 in ('pending', 'delivering') then now() + $6 * interval '1 s' end, now() - $7 * interval '1 day')`,
    [companyId, id, webhookId, eventId, status, dueInS, daysOld],
  );
  await database.query(
    `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms)
     values ($1, $2, 1, false, now(), 5), ($1, $2, 2, false, now(), 5)`,
    [companyId, id],
  );
  return id;
}

const ids = async (table: 'events' | 'deliveries') =>
  (await database.query<{ id: string }>(`select id from ${table}`)).map(({ id }) => id).sort();
const attempts = async () => (await database.query('select 1 from attempts')).length;

test('removes events and deliveries with attempts after 30 days, and keeps newer ones', async () => {
  const webhookId = await webhook();
  const old = await event({ daysOld: 30.01 });
  const young = await event({ daysOld: 29.99 });
  for (const status of ['succeeded', 'failed', 'cancelled']) {
    await delivery({ webhook_id: await webhook(), event_id: old, daysOld: 30.01, status });
  }
  const retained = await delivery({ webhook_id: webhookId, event_id: young, daysOld: 29.99 });
  expect(await attempts()).toBe(8);
  expect(await remove()).toEqual({ events: 1, deliveries: 3, orphans: 0 });
  expect(await ids('events')).toEqual([young]);
  expect(await ids('deliveries')).toEqual([retained]);
  expect(await attempts()).toBe(2);
  expect(await remove()).toEqual({ events: 0, deliveries: 0, orphans: 0 });
});

test('removes tests too, which have no number', async () => {
  await event({ daysOld: 31, sequence: 0 });
  await event({ daysOld: 31, sequence: 0 });
  expect(await remove()).toMatchObject({ events: 2 });
});

test('keeps events that aren’t dispatched yet', async () => {
  const waiting = await event({ daysOld: 40, sequence: null });
  await event({ daysOld: 40 });
  expect(await remove()).toMatchObject({ events: 1 });
  expect(await ids('events')).toEqual([waiting]);
});

test('keeps open deliveries and their events', async () => {
  const webhookId = await webhook();
  const retained: string[] = [];
  for (const status of ['pending', 'delivering']) {
    const eventId = await event({ daysOld: 40 });
    retained.push(await delivery({ webhook_id: webhookId, event_id: eventId, daysOld: 40, status, dueInS: -3_600 }));
  }
  expect(await remove()).toEqual({ events: 0, deliveries: 0, orphans: 0 });
  expect(await ids('deliveries')).toEqual(retained.sort());
  expect(await ids('events')).toHaveLength(2);
});

test('keeps an event as long as its latest delivery', async () => {
  const eventId = await event({ daysOld: 31 });
  const id = await delivery({ webhook_id: await webhook(), event_id: eventId, daysOld: 2 });
  expect(await remove()).toEqual({ events: 0, deliveries: 0, orphans: 0 });
  await database.query("update deliveries set created_at = now() - interval '31 d' where id = $1", [id]);
  expect(await remove()).toEqual({ events: 1, deliveries: 1, orphans: 0 });
});

test('removes deliveries of deleted subscriptions immediately, but waits for attempts in progress', async () => {
  const [deleted, other, retained] = [randomUUID(), randomUUID(), await webhook()];
  const eventIds = await Promise.all(Array.from({ length: 4 }, () => event({ daysOld: 1 })));
  const of = (webhookId: string, eventAt: number, status: string, dueInS = 60) =>
    delivery({ webhook_id: webhookId, event_id: eventIds[eventAt]!, daysOld: 1, status, dueInS });
  await of(deleted, 0, 'succeeded');
  await of(deleted, 1, 'pending');
  await of(deleted, 2, 'delivering', -1_200);
  await of(other, 0, 'failed');
  const underWay = await of(deleted, 3, 'delivering', 60);
  const ofRetained = [
    await of(retained, 0, 'succeeded'),
    await of(retained, 1, 'pending'),
    await of(retained, 2, 'delivering', -1_200),
  ];
  expect(await remove()).toEqual({ events: 0, deliveries: 0, orphans: 4 });
  expect(await ids('deliveries')).toEqual([underWay, ...ofRetained].sort());
  await database.query("update deliveries set due_at = now() - interval '20 min' where id = $1", [underWay]);
  expect(await remove()).toMatchObject({ orphans: 1 });
  expect(await ids('deliveries')).toEqual(ofRetained.sort());
  expect(await ids('events')).toEqual(eventIds.sort());
});

test('removes in batches until none is left', async () => {
  const webhookId = await webhook();
  const deleted = randomUUID();
  for (let i = 0; i < 7; i++) {
    const eventId = await event({ daysOld: 31 });
    await delivery({ webhook_id: webhookId, event_id: eventId, daysOld: 31 });
    await delivery({ webhook_id: deleted, event_id: eventId, daysOld: 1 });
  }
  expect(await remove(3)).toEqual({ events: 7, deliveries: 7, orphans: 7 });
  expect([await ids('events'), await ids('deliveries'), await attempts()]).toEqual([[], [], 0]);
});

test('skips locked rows until the next run', async () => {
  const eventId = await event({ daysOld: 31 });
  const webhookId = await webhook();
  const lockedDelivery = await delivery({ webhook_id: webhookId, event_id: eventId, daysOld: 31 });
  const free = await delivery({ webhook_id: await webhook(), event_id: eventId, daysOld: 31 });
  await database.db.tenant(ownCompany).transaction(async (tx) => {
    await tx.updateTable('deliveries').set({ replaying: true }).where('id', '=', lockedDelivery).execute();
    expect(await remove()).toEqual({ events: 0, deliveries: 1, orphans: 0 });
  });
  expect(await ids('deliveries')).toEqual([lockedDelivery]);
  expect(free).not.toBe(lockedDelivery);
  expect(await remove()).toEqual({ events: 1, deliveries: 1, orphans: 0 });
});

test('concurrent workers remove each row once', async () => {
  const webhookId = await webhook();
  for (let i = 0; i < 40; i++)
    await delivery({ webhook_id: webhookId, event_id: await event({ daysOld: 31 }), daysOld: 31 });
  const both = await Promise.all([remove(5), remove(5)]);
  const last = await remove(5);
  const sum = (kind: 'events' | 'deliveries') => [...both, last].reduce((total, each) => total + each[kind], 0);
  expect([sum('events'), sum('deliveries')]).toEqual([40, 40]);
});

test('the job handles all companies, and logs what it removed', async () => {
  const otherEvent = await event({ company_id: otherCompany, daysOld: 31 });
  await event({ daysOld: 31 });
  await delivery({
    webhook_id: await webhook(otherCompany),
    event_id: otherEvent,
    company_id: otherCompany,
    daysOld: 31,
  });
  expect(await remove()).toMatchObject({ events: 1 });
  expect(await ids('events')).toEqual([otherEvent]);
  const lines: unknown[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await removeOldEvents(database.db, log)({}, {} as JobHelpers);
  expect(await ids('events')).toEqual([]);
  expect(lines).toMatchObject([{ removed: { events: 1, deliveries: 1, orphans: 0 }, msg: 'old events removed' }]);
});
