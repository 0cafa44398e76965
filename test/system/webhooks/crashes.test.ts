/** Processes that die at the worst moments: no event is lost, and no hand is needed. */
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { emitReports, localWebhooks, report, statuses, subscribe } from '../../helpers/deliveries.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { endProcesses, startProcess } from '../../helpers/process.ts';
import { type Receiver, receiver } from '../../helpers/receiver.ts';
import { testWorker } from '../../helpers/worker.ts';

/** Nothing here takes so long: what a busy machine does not answer in time waits for a minute. */
const timeoutMs = 4_000;
const graceMs = 1_000;
const inFlight = 20;

let app: TestApp;
beforeEach(async () => {
  app = await testApp(localWebhooks);
});
afterEach(async () => {
  endProcesses();
  await app.close();
});

const workerProcess = () =>
  startProcess(
    {
      ...localWebhooks,
      DATABASE_URL: app.database.url,
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_GRACE_MS: String(graceMs),
      WEBHOOKS_IN_FLIGHT: String(inFlight),
      WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: '100',
    },
    ['worker'],
  );

const idsOf = (there: Receiver) =>
  there.requests.map(({ headers }) => headers.find(([name]) => name === 'webhook-id')![1]);

test('what is rolled back is not delivered; what is committed is, although the API dies at once', async () => {
  const there = await receiver();
  const { id } = await subscribe(app, there.url, { events: ['collaborator.created'] });
  const second = await subscribe(app, `${there.url}two`, { events: ['collaborator.*'] });
  const PORT = String(await freePort());
  // Known by the address that the tokens of the test are for.
  const settings = { ...localWebhooks, DATABASE_URL: app.database.url, BASE_URL: app.base_url, PORT };
  const api = startProcess(settings, ['api']);
  await api.ready();
  const answer = await fetch(`http://127.0.0.1:${PORT}/v1/collaborators`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.admin.token}`,
      'x-company-id': app.company_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Kay Killed', email: 'kay@example.com', position: 'x', department: 'y' }),
  });
  expect(answer.status).toBe(201);
  await api.kill();
  // Refused after its event was written: the e-mail is taken, so all of it is rolled back.
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
  await emitReports(app.database.db, app.company_id, 1); // nobody wants it; when it has its number, all before it is done
  await eventually(async () => {
    expect(await app.database.query('select 1 from events where sequence is null')).toHaveLength(0);
  });
  // The events of who was added before the subscriptions are not theirs, although they are dispatched only now.
  expect(there.requests.map(({ path }) => path).sort()).toEqual(['/', '/two']);
  expect(new Set(idsOf(there)).size).toBe(1);
  for (const each of [id, second.id]) {
    await eventually(async () => expect(await statuses(app.database, each)).toEqual({ succeeded: 1 }));
  }
  report('API killed after its answer: 1 event, 2 subscriptions, 2 requests');
  await worker.stop();
  await there.close();
});

test('a worker that is killed before, while and after it sends: nothing lost, little doubled', async () => {
  const events = 200;
  let answers = 0;
  const there = await receiver({
    answer: (response) => void setTimeout(() => response.writeHead(204).end(() => answers++), 30),
  });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const sent = await emitReports(app.database.db, app.company_id, events);

  // Killed while it sends.
  const first = workerProcess();
  await eventually(() => expect(answers).toBeGreaterThan(20));
  await first.kill();

  // Killed after the answers, before they are recorded: the record changes the subscription's row, which is held, but not
  // against what takes over from the first: that only has to know that nobody removes it.
  const holder = new pg.Client(app.database.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from webhooks where id = $1 for no key update', [id]);
  const answered = answers;
  const second = workerProcess();
  await eventually(() => expect(answers).toBeGreaterThan(answered)); // the answers come, their record does not
  await second.kill();
  await holder.query('rollback');
  await holder.end();

  // Killed as soon as it has claimed something itself, and taken over what the ones before it had claimed.
  const turns = async () => {
    const rows = await app.database.query<{ turn_id: string }>(
      "select distinct turn_id from deliveries where status = 'delivering'",
    );
    return rows.map(({ turn_id: turnId }) => turnId);
  };
  const before = await turns();
  const third = workerProcess();
  await eventually(async () => expect((await turns()).some((turn) => !before.includes(turn))).toBe(true));
  await third.kill();

  const last = workerProcess();
  await eventually(() => expect(last.lines()).toContainEqual(expect.objectContaining({ msg: 'ready' })));
  const done = async () => expect(await statuses(app.database, id)).toEqual({ succeeded: events });
  await eventually(done);
  const ids = idsOf(there);
  const doubled = ids.length - new Set(ids).size;
  report(`3 × SIGKILL, ${events} deliveries: ${ids.length} requests, ${doubled} doubled`);
  expect([...new Set(ids)].sort()).toEqual([...sent].sort());
  expect(doubled).toBeLessThanOrEqual(3 * inFlight);
  last.child.kill('SIGTERM');
  expect(await last.ended).toBe(0);
  await there.close();
});

test('SIGTERM: what is under way is finished and recorded, nothing new is begun', async () => {
  const there = await receiver({ answer: (response) => void setTimeout(() => response.writeHead(204).end(), 700) });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 60);
  const worker = workerProcess();
  await there.received(1);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  const { succeeded = 0, pending = 0, delivering = 0 } = await statuses(app.database, id);
  report(`SIGTERM while sending: ${there.requests.length} requests, ${succeeded} recorded, ${pending} left for others`);
  expect(delivering).toBe(0);
  expect(succeeded).toBe(there.requests.length);
  expect(succeeded + pending).toBe(60);
  expect(pending).toBeGreaterThan(0);
  await there.close();
});

test('killed with all places of a subscription taken: another process frees its job, sends the rest, and again what it had sent', async () => {
  const [most, events] = [10, 100];
  let hangs = true;
  const there = await receiver({
    answer: (response) => {
      if (!hangs) response.writeHead(204).end();
    },
  });
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, events);
  const settings = {
    ...localWebhooks,
    DATABASE_URL: app.database.url,
    WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: String(most),
  };
  const first = startProcess(settings, ['worker']);
  await there.received(most);
  await first.kill();
  hangs = false;
  const second = startProcess(settings, ['worker']);
  await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: events }));
  const ids = idsOf(there);
  expect(new Set(ids).size).toBe(events);
  expect(ids).toHaveLength(events + most);
  await second.kill();
  await there.close();
});

test('one of three workers is killed under load, again and again: nothing is lost', async () => {
  const there = await receiver({ answer: (response) => void setTimeout(() => response.writeHead(204).end(), 5) });
  const ids = [];
  for (const name of ['one', 'two', 'three']) {
    ids.push((await subscribe(app, `${there.url}${name}`, { events: ['report.created'] })).id);
  }
  const workers = [workerProcess(), workerProcess(), workerProcess()];
  for (const worker of workers) await worker.ready();
  const rounds = 30;
  for (let n = 0; n < rounds; n++) {
    await emitReports(app.database.db, app.company_id, 10);
    if (n % 10 !== 5) continue;
    await workers.shift()!.kill();
    workers.push(workerProcess());
  }
  for (const id of ids) {
    await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: 10 * rounds }));
  }
  report(`3 × SIGKILL of one of three: ${there.requests.length} requests for ${30 * rounds} deliveries`);
  for (const worker of workers) await worker.kill();
  await there.close();
});
