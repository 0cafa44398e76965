/** A test delivery that the request waits for: it returns the result, and holds no resources while waiting. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { faultyResponses, type Receiver, type Reply, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { addWebhook, deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

const waitMs = 1_500;
let app: TestApp;
let worker: TestWorker;
const receivers: Receiver[] = [];
beforeAll(async () => {
  app = await testApp({ ...localWebhooks, WEBHOOK_TEST_WAIT_MS: String(waitMs) });
  worker = await testWorker(app);
});
afterAll(async () => {
  for (const each of receivers) await each.close();
  await worker.stop();
  await app.close();
});

async function webhookReplying(reply: Reply): Promise<{ id: string; there: Receiver }> {
  const there = await receiver({ reply });
  receivers.push(there);
  const { id } = await subscribe(app, there.url, { events: ['document.deleted'] });
  return { id, there };
}

const path = (id: string) => `/v1/webhooks/${id}/test?wait=true`;
const remove = (id: string) => app.admin.delete(`/v1/webhooks/${id}`).expect(200);

test('returns the result of a successful receiver', async () => {
  const { id, there } = await webhookReplying(
    (response) => void response.writeHead(200, { 'X-Is': 'there' }).end('thanks'),
  );
  const { body, headers } = await app.admin.post(path(id)).expect(200);
  expect(body).toMatchObject({ status: 'succeeded', attempt_count: 1, last_status_code: 200, last_error: null });
  expect(body.attempts).toHaveLength(1);
  expect(body.attempts[0]).toMatchObject({ status_code: 200, response_excerpt: 'thanks', error: null });
  expect(body.attempts[0].response_headers).toContainEqual({ name: 'X-Is', value: 'there' });
  expect(body.attempts[0].request.body).toBe(there.requests[0]!.body.toString());
  expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(body);
  await remove(id);
});

test('returns the failure of a failing receiver', async () => {
  const { id } = await webhookReplying((response) => void response.writeHead(500).end('oh no'));
  const { body } = await app.admin.post(path(id)).expect(200);
  expect(body).toMatchObject({ status: 'failed', last_status_code: 500, next_attempt_at: null });
  expect(body.attempts).toMatchObject([{ response_excerpt: 'oh no', error: expect.stringContaining('500') }]);
  expect((await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body.status).toBe('active');
  await remove(id);
});

test('returns the failure of a refused connection', async () => {
  const { id, there } = await webhookReplying(204);
  await there.close();
  const { body } = await app.admin.post(path(id)).expect(200);
  expect(body).toMatchObject({ status: 'failed', last_error_class: 'connect_refused' });
  expect(body.attempts).toMatchObject([
    { status_code: null, error: expect.stringContaining('refused the connection') },
  ]);
  await remove(id);
});

test('for a hanging receiver, returns where to look later, and holds neither connection nor lock', async () => {
  const { id, there } = await webhookReplying(faultyResponses.hang);
  const testRequest = app.admin
    .post(path(id))
    .set('Idempotency-Key', randomUUID())
    .then((reply) => reply);
  await there.received(1); // so the request's changes were committed before the response
  const heldLocks = await app.database.query(
    `select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
     union all
     select 'locked' from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
     where l.locktype = 'advisory' and l.pid in (
       select pid from pg_stat_activity where state like 'idle in transaction%')`,
  );
  expect(heldLocks).toEqual([]);
  const { status, body, headers } = await testRequest;
  expect({ status, body }).toMatchObject({ status: 202, body: { event: 'webhook.test', attempt_count: 0 } });
  expect(headers.location).toBe(`/v1/webhooks/${id}/deliveries/${body.id}`);
  there.requests.length = 0;
  await there.close(); // ends the attempt
  await eventually(async () => expect((await deliveriesOf(app, id))[0]).toMatchObject({ status: 'failed' }));
  await remove(id);
});

test('with an Idempotency-Key, sends one test and repeats the result', async () => {
  const { id, there } = await webhookReplying(204);
  const key = randomUUID();
  const first = await app.admin.post(path(id)).set('Idempotency-Key', key).expect(200);
  const second = await app.admin.post(path(id)).set('Idempotency-Key', key).expect(200);
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(there.requests).toHaveLength(1);
  await remove(id);
});

test('at most five requests per company wait, and others return where to look', async () => {
  await worker.stop();
  const patient = await testApp({ ...localWebhooks, WEBHOOK_TEST_WAIT_MS: '20000' });
  worker = await testWorker(patient);
  const there = await receiver({ reply: faultyResponses.hang });
  const { id } = await subscribe(patient, there.url, { events: ['document.deleted'] });
  let responseCount = 0;
  const waiting = Array.from({ length: 5 }, async () => {
    const reply = await patient.admin.post(path(id));
    responseCount += 1;
    return reply;
  });
  await there.received(5);
  expect((await patient.admin.post(path(id))).status).toBe(202);
  const quick = await receiver();
  receivers.push(quick);
  const ofAnother = await addWebhook(patient, { url: quick.url }, patient.outsider.company_id);
  expect((await patient.outsider.post(path(ofAnother))).status).toBe(200); // another company has its own five
  expect(responseCount).toBe(0); // none of these waited for the five
  await there.close(); // ends the attempts
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await patient.admin.post(path(id))).status).toBe(200); // there is room again
  await worker.stop();
  await patient.close();
  worker = await testWorker(app);
});
