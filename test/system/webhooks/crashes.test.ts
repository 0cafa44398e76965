/** Processes that die at the worst moments: no event is lost, and no intervention is needed. */
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { testWorker } from '../../helpers/worker.ts';

/** Nothing here takes this long; a response missed by a busy machine is retried after a minute. */
const timeoutMs = 4_000;
const graceMs = 1_000;
const inFlight = 20;

let app: TestApp;
beforeEach(async () => {
  app = await testApp(localWebhooks);
});
afterEach(async () => {
  killProcesses();
  await app.close();
});

const workerProcess = (settings: Record<string, string> = {}) =>
  startProcess(
    {
      ...localWebhooks,
      DATABASE_URL: app.database.url,
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_GRACE_MS: String(graceMs),
      WEBHOOKS_IN_FLIGHT: String(inFlight),
      WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: String(inFlight / 2),
      ...settings,
    },
    ['worker'],
  );

const idsOf = (there: Receiver) =>
  there.requests.map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);

test('delivers nothing that rolled back, and everything that committed, even if the API dies immediately', async () => {
  const there = await receiver();
  const { id } = await subscribe(app, there.url, { events: ['collaborator.created'] });
  const second = await subscribe(app, `${there.url}two`, { events: ['collaborator.*'] });
  const PORT = String(await freePort());
  // The base URL that the test's tokens are for.
  const settings = { ...localWebhooks, DATABASE_URL: app.database.url, BASE_URL: app.base_url, PORT };
  const api = startProcess(settings, ['api']);
  await api.ready();
  const reply = await fetch(`http://127.0.0.1:${PORT}/v1/collaborators`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.admin.token}`,
      'x-company-id': app.company_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Kay Killed', email: 'kay@example.com', position: 'x', department: 'y' }),
  });
  expect(reply.status).toBe(201);
  await api.kill();
  // Rejected after its event was written: the email is taken, so everything rolls back.
  await app.admin
    .post('/v1/collaborators', { name: 'Kay Again', email: 'kay@example.com', position: 'x', department: 'y' })
    .expect(400);
  await app.database.db
    .tenant(app.company_id)
    .transaction(async (tx) => {
      await tx
        .insertInto('events', { id: crypto.randomUUID(), name: 'collaborator.created', event_type: 'X' })
        .execute();
      throw new Error('rolled back');
    })
    .catch(() => {});
  const worker = await testWorker(app);
  await there.received(2);
  await emitReports(app.database.db, app.company_id, 1); // has no subscriber; once it is numbered, all earlier events are dispatched
  await eventually(async () => {
    expect(await app.database.query('select 1 from events where sequence is null')).toHaveLength(0);
  });
  // Events from before the subscriptions aren't theirs, although they are dispatched only now.
  expect(there.requests.map(({ path }) => path).sort()).toEqual(['/', '/two']);
  expect(new Set(idsOf(there)).size).toBe(1);
  for (const each of [id, second.id]) {
    await eventually(async () => expect(await statuses(app.database, each)).toEqual({ succeeded: 1 }));
  }
  await worker.stop();
  await there.close();
});

test('a worker killed while claiming and after sending loses nothing and repeats little', async () => {
  const events = 100;
  let responseCount = 0;
  const there = await receiver({
    reply: (response) => void setTimeout(() => response.writeHead(204).end(() => responseCount++), 30),
  });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const sent = await emitReports(app.database.db, app.company_id, events);

  // Killed between response and record: the record needs the subscription's row, which is locked, but in a way that
  // still allows claims, which only need the row to exist.
  const holder = new pg.Client(app.database.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from webhooks where id = $1 for no key update', [id]);
  const first = workerProcess();
  await eventually(() => expect(responseCount).toBe(inFlight / 2)); // all slots are taken by responses that aren't recorded
  await first.kill();
  await holder.query('rollback');
  await holder.end();

  // Killed as soon as it has claimed deliveries and taken over those of the earlier worker.
  const turns = async () => {
    const rows = await app.database.query<{ turn_id: string }>(
      "select distinct turn_id from deliveries where status = 'delivering'",
    );
    return rows.map(({ turn_id: turnId }) => turnId);
  };
  const before = await turns();
  const second = workerProcess();
  await eventually(async () => expect((await turns()).some((turn) => !before.includes(turn))).toBe(true));
  await second.kill();

  const last = workerProcess();
  await eventually(() => expect(last.lines()).toContainEqual(expect.objectContaining({ msg: 'ready' })));
  const done = async () => expect(await statuses(app.database, id)).toEqual({ succeeded: events });
  await eventually(done);
  const ids = idsOf(there);
  const doubled = ids.length - new Set(ids).size;
  expect([...new Set(ids)].sort()).toEqual([...sent].sort());
  // Fewer, if Postgres still runs a statement of the first worker: a record that waited for the lock.
  expect(doubled).toBeLessThanOrEqual(inFlight);
  last.child.kill('SIGTERM');
  expect(await last.ended).toBe(0);
  await there.close();
});

test('SIGTERM completes and records requests in flight, and starts nothing new', async () => {
  const there = await receiver({ reply: (response) => void setTimeout(() => response.writeHead(204).end(), 700) });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 60);
  const worker = workerProcess();
  await there.received(1);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  const { succeeded = 0, pending = 0, delivering = 0 } = await statuses(app.database, id);
  expect(delivering).toBe(0);
  expect(succeeded).toBe(there.requests.length);
  expect(succeeded + pending).toBe(60);
  expect(pending).toBeGreaterThan(0);
  await there.close();
});
