import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook, deliveriesOf, isWoken } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app);
});

const path = (id: string, deliveryId: string) => `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`;
const redeliver = (deliveryId: string) => app.admin.post(path(id, deliveryId));
const stored = async () => (await deliveriesOf(app, id))[0];

describe('succeeds', () => {
  test.each(['succeeded', 'failed', 'cancelled'])('a delivery that has %s gets a single attempt', async (status) => {
    const ended = { status, attempt_count: 6, failures: 6, last_status_code: 503 };
    const deliveryId = await addDelivery(app, id, ended);
    const { body, headers } = await redeliver(deliveryId).expect(202);
    expect(body).toMatchObject({
      id: deliveryId,
      status: 'pending',
      attempt_count: 6,
      last_status_code: 503,
      next_attempt_at: expect.any(String),
      completed_at: null,
    });
    expect(headers.location).toBe(`/v1/webhooks/${id}/deliveries/${deliveryId}`);
    expect((await app.admin.get(headers.location!).expect(200)).body).toEqual({ ...body, attempts: [] });
    expect(await stored()).toMatchObject({ retried: false, manual: true, replaying: false, is_due: true });
    expect(await isWoken(app, id)).toBe(true);
  });

  test('a delivery waiting for a retry is sent now, and keeps its retries', async () => {
    const waiting = { status: 'pending', attempt_count: 2, failures: 2, due_at: '2100-01-01T00:00:00Z' };
    await redeliver(await addDelivery(app, id, { ...waiting, replaying: true })).expect(202);
    const now = { status: 'pending', retried: true, manual: true, failures: 2, replaying: true, is_due: true };
    expect(await stored()).toMatchObject(now);
    expect(await isWoken(app, id)).toBe(true);
  });

  test('a delivery waiting for its only attempt gets no retries', async () => {
    await redeliver(await addDelivery(app, id, { status: 'pending', retried: false })).expect(202);
    expect(await stored()).toMatchObject({ retried: false, manual: true });
  });
});

describe('refuses bad input', () => {
  test('returns 404 for unknown ids and deliveries of another subscription', async () => {
    const deliveryId = await addDelivery(app, id);
    await redeliver('nothing').expect(404);
    await redeliver(randomUUID()).expect(404);
    await app.admin.post(path(await addWebhook(app), deliveryId)).expect(404);
    expect(await stored()).toMatchObject({ status: 'succeeded' });
  });
});

describe('conflicts', () => {
  test('rejects while an attempt is in progress', async () => {
    const { body } = await redeliver(await addDelivery(app, id, { status: 'delivering' })).expect(409);
    expect(body.error).toBe('conflict');
    expect(await stored()).toMatchObject({ status: 'delivering', manual: false });
  });

  test('rejects if the subscription is deactivated, but returns 404 for unknown ids', async () => {
    id = await addWebhook(app, { status: 'deactivated' });
    const { body } = await redeliver(await addDelivery(app, id, { status: 'failed' })).expect(409);
    expect(body.error).toBe('conflict');
    await redeliver(randomUUID()).expect(404);
    expect([(await stored())!.status, await isWoken(app, id)]).toEqual(['failed', false]);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    const deliveryId = await addDelivery(app, id);
    for (const client of [app.manager, app.employee]) await client.post(path(id, deliveryId)).expect(403);
    expect(await stored()).toMatchObject({ status: 'succeeded' });
  });
});

describe('invisible to another company', () => {
  test('returns 404, also through their own subscription', async () => {
    const deliveryId = await addDelivery(app, id);
    await app.outsider.post(path(id, deliveryId)).expect(404);
    const foreign = await addWebhook(app, {}, app.outsider.company_id);
    await app.outsider.post(path(foreign, deliveryId)).expect(404);
    expect(await stored()).toMatchObject({ status: 'succeeded' });
  });
});
