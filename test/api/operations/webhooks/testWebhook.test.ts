import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addWebhook, deliveriesOf, isWoken } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app, { events: ['document.deleted'], payload_format: 'flat' });
});

const path = (id: string) => `/v1/webhooks/${id}/test`;

describe('succeeds', () => {
  test('creates a delivery that is due now and tried once, whatever the subscribed events', async () => {
    const other = await addWebhook(app, { events: ['webhook.test', '*'] });
    const { body, headers } = await app.admin.post(path(id)).expect(202);
    expect(body).toEqual({
      id: expect.any(String),
      webhook_id: id,
      event_id: expect.any(String),
      event: 'webhook.test',
      status: 'pending',
      attempt_count: 0,
      last_status_code: null,
      last_duration_ms: null,
      last_error_class: null,
      last_error: null,
      next_attempt_at: expect.any(String),
      created_at: expect.any(String),
      completed_at: null,
    });
    expect(headers.location).toBe(`/v1/webhooks/${id}/deliveries/${body.id}`);
    expect((await app.admin.get(headers.location!).expect(200)).body).toEqual({ ...body, attempts: [] });
    const [delivery] = await deliveriesOf(app, id);
    expect(delivery).toMatchObject({ retried: false, manual: false, payload_format: 'flat', is_due: true });
    expect([await isWoken(app, id), await isWoken(app, other)]).toEqual([true, false]);
    expect(await deliveriesOf(app, other)).toEqual([]);
  });

  test('repeating the request with the same Idempotency-Key creates one test', async () => {
    const key = randomUUID();
    for (let i = 0; i < 2; i += 1) await app.admin.post(path(id)).set('Idempotency-Key', key).expect(202);
    expect(await deliveriesOf(app, id)).toHaveLength(1);
  });
});

describe('refuses bad input', () => {
  test('returns 404 for an unknown id', async () => {
    await app.admin.post(path('nothing')).expect(404);
  });

  test('rejects a wait parameter that isn’t a boolean', async () => {
    const { body } = await app.admin.post(`${path(id)}?wait=perhaps`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(await deliveriesOf(app, id)).toEqual([]);
  });
});

describe('conflicts', () => {
  test('rejects a deactivated subscription', async () => {
    const off = await addWebhook(app, { status: 'deactivated' });
    const { body } = await app.admin.post(path(off)).expect(409);
    expect(body.error).toBe('conflict');
    expect([await deliveriesOf(app, off), await isWoken(app, off)]).toEqual([[], false]);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.post(path(id)).expect(403);
    expect(await deliveriesOf(app, id)).toEqual([]);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.post(path(id)).expect(404);
    expect(await deliveriesOf(app, id)).toEqual([]);
  });
});

describe('emits', () => {
  test('emits webhook.test, which is neither listed nor dispatched', async () => {
    const waiting = () => app.database.query('select id from events where sequence is null order by id');
    const before = await waiting();
    const { body } = await app.admin.post(path(id)).expect(202);
    const [event] = await app.database.query('select * from events where id = $1', [body.event_id]);
    expect(event).toMatchObject({ name: 'webhook.test', event_type: 'WebhookTest', payload: null, sequence: '0' });
    expect(await waiting()).toEqual(before);
    expect((await app.admin.get('/v1/events').expect(200)).body.data).toEqual([]);
  });
});
