import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook, deliveriesOf, isWoken } from '../../../helpers/resources/webhooks.ts';

/** Tolerance: the database may run on a machine with a different clock. */
const clocksDifferMs = 5_000;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app);
});

const path = (id: string) => `/v1/webhooks/${id}/redeliver`;
const redeliver = (body: unknown) => app.admin.post(path(id), body);
const at = (minute: number) => `2026-03-10T06:${String(minute).padStart(2, '0')}:00.000Z`;
const add = (status: string, minute: number, more = {}) =>
  addDelivery(app, id, { status, created_at: at(minute), ...more });
const statuses = async () =>
  Object.fromEntries((await deliveriesOf(app, id)).map((row) => [row.id, row.replaying ? 'again' : row.status]));

describe('succeeds', () => {
  test('resends failed and canceled deliveries of the range with fresh retries, the first attempt marked manual', async () => {
    const early = await add('failed', 0);
    const failed = await add('failed', 1, { attempt_count: 6, failures: 6, retried: false, last_status_code: 503 });
    const cancelled = await add('cancelled', 2);
    const succeeded = await add('succeeded', 2);
    const pending = await add('pending', 2);
    const late = await add('failed', 3);
    const { body } = await redeliver({ from: at(1), to: '2026-03-10T07:03:00+01:00' }).expect(202);
    expect(body).toEqual({
      webhook_id: id,
      from: at(1),
      to: at(3),
      status: ['failed', 'cancelled'],
      delivery_count: 2,
    });
    expect(await statuses()).toEqual({
      [early]: 'failed',
      [failed]: 'again',
      [cancelled]: 'again',
      [succeeded]: 'succeeded',
      [pending]: 'pending',
      [late]: 'failed',
    });
    const redelivered = {
      status: 'pending',
      failures: 0,
      retried: true,
      manual: true,
      completed_at: null,
      is_due: true,
    };
    expect((await deliveriesOf(app, id)).filter(({ replaying }) => replaying)).toMatchObject([
      { ...redelivered, attempt_count: 6, last_status_code: 503 },
      { ...redelivered, attempt_count: 0 },
    ]);
    expect(await isWoken(app, id)).toBe(true);
  });

  test('resends those with a given status up to now', async () => {
    const failed = await add('failed', 1);
    const succeeded = await addDelivery(app, id, { status: 'succeeded' });
    const requestedMs = Date.now();
    const { body } = await redeliver({ from: at(0), status: 'succeeded', to: null }).expect(202);
    expect(body).toMatchObject({ status: ['succeeded'], delivery_count: 1 });
    expect(Date.parse(body.to)).toBeGreaterThan(requestedMs - clocksDifferMs);
    expect(Date.parse(body.to)).toBeLessThan(Date.now() + clocksDifferMs);
    expect(await statuses()).toEqual({ [failed]: 'failed', [succeeded]: 'again' });
  });

  test('wakes nobody if there are none', async () => {
    expect((await redeliver({ from: at(0) }).expect(202)).body.delivery_count).toBe(0);
    expect(await isWoken(app, id)).toBe(false);
  });

  test('a test stays a test and gets one attempt', async () => {
    await add('failed', 1, { event: 'webhook.test', retried: false });
    await redeliver({ from: at(0) }).expect(202);
    expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'pending', retried: false }]);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{}, { from: ['required'] }],
    [{ from: null }, { from: ['invalid_type'] }],
    [{ from: '2026-03-10' }, { from: ['invalid_format'] }],
    [{ from: '2100-01-01T00:00:00Z' }, { from: ['out_of_range'] }],
    [
      { from: '2100-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' },
      { from: ['out_of_range'], to: ['out_of_range'] },
    ],
    [{ from: at(1), to: at(1) }, { to: ['out_of_range'] }],
    [{ from: at(1), status: 'pending' }, { status: ['not_in_enum'] }],
    [{ from: at(1), status: ['failed'] }, { status: ['invalid_type', 'not_in_enum'] }],
    [{ from: at(1), event: '*' }, { event: ['field_not_allowed'] }],
  ])('rejects %j', async (body, expected) => {
    await add('failed', 2);
    const response = await redeliver(body).expect(400);
    const found = Object.entries(response.body.details as Record<string, { code: string }[]>);
    expect(Object.fromEntries(found.map(([field, errors]) => [field, errors.map(({ code }) => code)]))).toEqual(
      expected,
    );
    expect(Object.values(await statuses())).toEqual(['failed']);
  });
});

describe('conflicts', () => {
  test.each(['pending', 'delivering'])('rejects while a delivery of an earlier range is %s', async (status) => {
    await add('failed', 1);
    const running = await addDelivery(app, id, { status, replaying: true });
    const { body } = await redeliver({ from: at(0) }).expect(409);
    expect(body.error).toBe('conflict');
    await app.database.query("update deliveries set status = 'succeeded', replaying = false where id = $1", [running]);
    await redeliver({ from: at(0) }).expect(202);
  });

  test('of two concurrent requests, one succeeds', async () => {
    await add('failed', 1);
    const responses = await Promise.all([1, 2].map(() => redeliver({ from: at(0) })));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409]);
  });

  test('rejects a deactivated subscription', async () => {
    id = await addWebhook(app, { status: 'deactivated' });
    await add('failed', 1);
    expect((await redeliver({ from: at(0) }).expect(409)).body.error).toBe('conflict');
    expect(Object.values(await statuses())).toEqual(['failed']);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    await add('failed', 1);
    for (const client of [app.manager, app.employee]) await client.post(path(id), { from: at(0) }).expect(403);
    expect(Object.values(await statuses())).toEqual(['failed']);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await add('failed', 1);
    await app.outsider.post(path(id), { from: at(0) }).expect(404);
    expect(Object.values(await statuses())).toEqual(['failed']);
  });
});
