/** The backlog limit: a slow receiver is deactivated, loses nothing, and is replayed when there is room. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setQuota } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { header, type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDelivery, addWebhook } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
const receivers: Receiver[] = [];
let worker: TestWorker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  for (const each of receivers.splice(0)) await each.close();
  await app.close();
});

const full = (quotaLimit: number, quotaUsed: number) => ({
  error: 'conflict',
  details: { quota: 'waiting_deliveries', quota_limit: quotaLimit, quota_used: quotaUsed },
});
const allow = (limit: number) => setQuota(app.database.db, app.company_id, 'waiting_deliveries', limit);
const webhook = async (id: string) => (await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body;
const emit = (count: number) => emitReports(app.database.db, app.company_id, count);
const receivedBy = ({ requests }: Receiver) => new Set(requests.map((request) => header(request, 'webhook-id')));

async function listen(): Promise<Receiver> {
  const created = await receiver();
  receivers.push(created);
  return created;
}

test('the slowest subscription is deactivated, notified, and replayed, and others continue', async () => {
  app = await testApp({ ...localWebhooks, QUOTA_WAITING_DELIVERIES: '10', WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: '1' });
  worker = await testWorker(app);
  const { outbox, registry } = worker;
  const [slow, quick] = [await listen(), await listen()];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  slow.respond(async (response) => {
    await released;
    response.writeHead(204).end();
  });
  const slowWebhook = await subscribe(app, slow.url, { events: ['report.created'] });
  const quickWebhook = await subscribe(app, quick.url, { events: ['report.created'] });
  const before = new Date().toISOString();

  const sent = await emit(5);
  await eventually(async () => {
    expect(await statuses(app.database, slowWebhook.id)).toEqual({ delivering: 1, pending: 4 });
    expect(await statuses(app.database, quickWebhook.id)).toEqual({ succeeded: 5 });
  });
  sent.push(...(await emit(5))); // 4 are pending, and 10 more would be too many
  await eventually(async () => expect(await statuses(app.database, quickWebhook.id)).toEqual({ succeeded: 10 }));
  expect(await webhook(slowWebhook.id)).toMatchObject({ status: 'deactivated', deactivation_reason: 'backlog' });
  expect(await webhook(quickWebhook.id)).toMatchObject({ status: 'active' });
  expect(await statuses(app.database, slowWebhook.id)).toEqual({ delivering: 1, cancelled: 4 });
  expect(await registry.metrics()).toContain('webhook_deactivations_total{reason="backlog"} 1');
  await eventually(async () => {
    const [mail] = await readdir(outbox);
    expect(await readFile(join(outbox, mail!), 'utf8')).toContain('more deliveries are pending');
  });
  const [deactivation] = await app.database.query<{ reason: string }>(
    "select payload::json ->> 'reason' as reason from events where name = 'webhook.deactivated'",
  );
  expect(deactivation).toEqual({ reason: 'backlog' });

  // The replay doesn't fit: nothing starts, and the subscription stays as it is.
  const reactivate = () => app.admin.post(`/v1/webhooks/${slowWebhook.id}/activate`, { replay_from: before });
  await allow(8);
  expect((await reactivate().expect(409)).body).toMatchObject(full(8, 0));
  expect(await webhook(slowWebhook.id)).toMatchObject({ status: 'deactivated' });
  expect(await statuses(app.database, slowWebhook.id)).toEqual({ delivering: 1, cancelled: 4 });
  await allow(9);
  release();
  await reactivate().expect(200);
  await eventually(() => expect([...receivedBy(slow)].sort()).toEqual([...sent].sort()));
});

test('manual redeliveries must fit too, except those already pending', async () => {
  app = await testApp({ ...localWebhooks, QUOTA_WAITING_DELIVERIES: '2' });
  const id = await addWebhook(app);
  const waiting = await addDelivery(app, id, { status: 'pending' });
  const failed = [await addDelivery(app, id, { status: 'failed' }), await addDelivery(app, id, { status: 'failed' })];
  const range = { from: '2020-01-01T00:00:00Z' };
  const redeliver = (delivery: string) => app.admin.post(`/v1/webhooks/${id}/deliveries/${delivery}/redeliver`);
  const refused = await app.admin.post(`/v1/webhooks/${id}/redeliver`, range).expect(409);
  expect(refused.body).toMatchObject(full(2, 1));
  expect(refused.body.message).toBe(
    'The company can have 2 waiting deliveries of webhooks, and has 1. Its operator can allow more.',
  );
  await redeliver(failed[0]!).expect(202);
  expect((await redeliver(failed[1]!).expect(409)).body).toMatchObject(full(2, 2));
  expect((await app.admin.post(`/v1/webhooks/${id}/test`).expect(409)).body).toMatchObject(full(2, 2));
  await redeliver(waiting).expect(202);
  expect(await statuses(app.database, id)).toEqual({ failed: 1, pending: 2 });
  await allow(3);
  expect((await app.admin.post(`/v1/webhooks/${id}/redeliver`, range).expect(202)).body).toMatchObject({
    delivery_count: 1,
  });
});
