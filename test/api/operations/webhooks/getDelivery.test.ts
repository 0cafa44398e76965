import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
let deliveryId: string;
beforeEach(async () => {
  id = await addWebhook(app);
  deliveryId = await addDelivery(app, id, { status: 'failed', attempt_count: 2, last_status_code: 503 });
});

const path = (id: string, deliveryId: string) => `/v1/webhooks/${id}/deliveries/${deliveryId}`;

describe('succeeds', () => {
  test('returns the attempts, oldest first', async () => {
    await app.database.query(
      `insert into attempts
         (company_id, delivery_id, number, manual, started_at, duration_ms, status_code, error_class, response_excerpt)
       values ($1, $2, 2, true, '2026-03-02T09:16:03.451Z', 167, 503, null, 'Später'),
              ($1, $2, 1, false, '2026-03-02T09:15:01.204Z', 30000, null, 'timeout', null)`,
      [app.company_id, deliveryId],
    );
    const { body } = await app.admin.get(path(id, deliveryId)).expect(200);
    expect(body).toEqual({
      id: deliveryId,
      webhook_id: id,
      event_id: expect.any(String),
      event: 'collaborator.created',
      status: 'failed',
      attempt_count: 2,
      last_status_code: 503,
      last_duration_ms: 167,
      last_error_class: null,
      last_error: expect.stringContaining('503'),
      next_attempt_at: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      attempts: [
        {
          number: 1,
          manual: false,
          started_at: '2026-03-02T09:15:01.204Z',
          duration_ms: 30_000,
          request: null,
          status_code: null,
          error_class: 'timeout',
          error: expect.stringContaining('in time'),
          response_headers: null,
          response_excerpt: null,
          next_attempt_at: null,
        },
        {
          number: 2,
          manual: true,
          started_at: '2026-03-02T09:16:03.451Z',
          duration_ms: 167,
          request: null,
          status_code: 503,
          error_class: null,
          error: expect.stringContaining('503'),
          response_headers: null,
          response_excerpt: 'Später',
          next_attempt_at: null,
        },
      ],
    });
  });

  test.each([
    ['pt-BR', 'O endpoint respondeu 503: o endpoint ou o proxy dele está indisponível.'],
    ['es', 'El endpoint respondió 503: el endpoint o su proxy no está disponible.'],
  ])('explains the error in the language of the request: %s', async (language, text) => {
    await app.database.query(
      `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, status_code)
       values ($1, $2, 2, false, now(), 3, 503)`,
      [app.company_id, deliveryId],
    );
    const { body } = await app.admin.get(path(id, deliveryId)).set('Accept-Language', language).expect(200);
    expect(body.last_error).toContain(text);
    expect(body.attempts).toMatchObject([{ error: body.last_error }]);
    const list = await app.admin.get(`/v1/webhooks/${id}/deliveries`).set('Accept-Language', language).expect(200);
    expect(list.body.data).toMatchObject([{ last_error: body.last_error }]);
  });

  test('returns the last hundred attempts', async () => {
    deliveryId = await addDelivery(app, id, { status: 'failed', attempt_count: 105 });
    await app.database.query(
      `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms)
       select $1, $2, n, true, now(), 1 from generate_series(1, 105) n`,
      [app.company_id, deliveryId],
    );
    const { body } = await app.admin.get(path(id, deliveryId)).expect(200);
    const numbers = body.attempts.map(({ number }: { number: number }) => number);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 6));
  });
});

test('omits an attempt that is recorded during the read', async () => {
  await app.database.query(
    `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms)
     select $1, $2, n, true, now(), 1 from generate_series(1, 3) n`,
    [app.company_id, deliveryId],
  );
  const { body } = await app.admin.get(path(id, deliveryId)).expect(200);
  expect([body.attempt_count, body.attempts.length]).toEqual([2, 2]);
});

describe('refuses bad input', () => {
  test('returns 404 for unknown ids and deliveries of another subscription', async () => {
    await app.admin.get(path(id, 'nothing')).expect(404);
    await app.admin.get(path(id, randomUUID())).expect(404);
    await app.admin.get(path('nothing', deliveryId)).expect(404);
    await app.admin.get(path(await addWebhook(app), deliveryId)).expect(404);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path(id, deliveryId)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404, also through their own subscription', async () => {
    await app.outsider.get(path(id, deliveryId)).expect(404);
    const foreign = await addWebhook(app, {}, app.outsider.company_id);
    await app.outsider.get(path(foreign, deliveryId)).expect(404);
  });
});
