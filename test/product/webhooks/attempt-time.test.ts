/** The signed body has the time of its attempt, so receivers can reject old requests by it. */
import { createHmac } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { header, type Received, type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, passTime, subscribe } from '../../helpers/resources/deliveries.ts';
import { deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let there: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
beforeEach(async () => {
  there = await receiver();
});
afterEach(() => there.close());

const toleranceMs = 5 * 60_000;
const timeOf = ({ body }: Received): string => JSON.parse(body.toString()).timestamp;

/** Waits until each attempt is recorded, and skips the time to the next one. */
async function retry(webhookId: string, attempts: number): Promise<void> {
  await eventually(async () => {
    const [delivery] = await deliveriesOf(app, webhookId);
    expect(delivery).toMatchObject({ attempt_count: attempts, status: 'pending' });
  });
  await passTime(app, webhookId);
}

async function succeeded(webhookId: string): Promise<string> {
  return eventually(async () => {
    const [delivery] = await deliveriesOf(app, webhookId);
    expect(delivery).toMatchObject({ status: 'succeeded' });
    return delivery!.id as string;
  });
}

/** Verifies like a receiver that knows only the specified header: the signature, and the time in the body. */
function accepts(secret: string, request: Received): boolean {
  const genuine = createHmac('sha256', secret).update(request.body).digest('hex');
  const ageMs = Math.abs(Date.now() - Date.parse(timeOf(request)));
  return header(request, 'X-Webhook-Signature') === genuine && ageMs <= toleranceMs;
}

test('a receiver that rejects requests older than five minutes accepts the third retry after seven', async () => {
  let secret = '';
  there.respond((response, request) => {
    response.writeHead(there.requests.length < 4 ? 503 : accepts(secret, request) ? 204 : 401).end();
  });
  const webhook = await subscribe(app, there.url, { events: ['report.created'] });
  secret = webhook.secret;
  await emitReports(app.database.db, app.company_id, 1);
  for (const attempts of [1, 2, 3]) await retry(webhook.id, attempts);
  const deliveryId = await succeeded(webhook.id);
  const { requests } = there;
  expect(requests).toHaveLength(4);
  const bodies = requests.map(({ body }) => JSON.parse(body.toString()));
  for (const { timestamp, ...rest } of bodies) {
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect({ ...rest, timestamp: null }).toEqual({ ...bodies[0], timestamp: null }); // `data.timestamp` too
  }
  for (const request of requests) {
    const timeS = String(Math.floor(Date.parse(timeOf(request)) / 1_000));
    expect([header(request, 'X-Webhook-Timestamp'), header(request, 'webhook-timestamp')]).toEqual([timeS, timeS]);
  }
  const { body } = await app.admin.get(`/v1/webhooks/${webhook.id}/deliveries/${deliveryId}`).expect(200);
  const logged = body.attempts.map(({ started_at: startedAt }: { started_at: string }) => startedAt);
  expect(logged).toEqual(requests.map(timeOf));
  await app.admin.delete(`/v1/webhooks/${webhook.id}`).expect(200);
});

test('a manual redelivery, single or in a range, gets a new time', async () => {
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const from = new Date().toISOString();
  await emitReports(app.database.db, app.company_id, 1);
  const deliveryId = await succeeded(id);
  await app.admin.post(`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`).expect(202);
  await there.received(2);
  await succeeded(id);
  await app.admin.post(`/v1/webhooks/${id}/redeliver`, { from, status: 'succeeded' }).expect(202);
  await there.received(3);
  const times = there.requests.map(timeOf);
  expect(times).toEqual([...new Set(times)].sort());
  expect(new Set(there.requests.map(({ body }) => JSON.parse(body.toString()).data.timestamp)).size).toBe(1);
  await succeeded(id);
  await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
});

test('a test and a replayed event have the time of their attempt', async () => {
  const from = new Date().toISOString();
  await emitReports(app.database.db, app.company_id, 1);
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  await eventually(async () => {
    expect(await app.database.query('select 1 from events where sequence is null')).toHaveLength(0);
  });
  const before = Date.now();
  await app.admin.post(`/v1/webhooks/${id}/test`).expect(202);
  await app.admin.post(`/v1/webhooks/${id}/activate`, { replay_from: from }).expect(200);
  await there.received(2);
  for (const request of there.requests) expect(Date.parse(timeOf(request))).toBeGreaterThanOrEqual(before);
  await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
});

test('the flat format has the event time, so all attempts have the same bytes', async () => {
  there.respond((response) => void response.writeHead(there.requests.length === 1 ? 503 : 204).end());
  const { id } = await subscribe(app, there.url, { events: ['report.created'], payload_format: 'flat' });
  await emitReports(app.database.db, app.company_id, 1);
  await retry(id, 1);
  await succeeded(id);
  const [first, second] = there.requests as [Received, Received];
  expect(second.body.equals(first.body)).toBe(true);
  const { body } = await app.admin.get('/v1/events?event=report.created').expect(200);
  const event = body.data.at(-1);
  expect(timeOf(first)).toBe(event.data.timestamp);
  expect(event.timestamp).toBe(event.data.timestamp); // nothing is sent there
  await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
});
