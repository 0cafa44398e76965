import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addWebhook, knownSecret } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/webhooks/${id}`;

describe('succeeds', () => {
  test('returns a deactivated subscription with the reason, without its secret', async () => {
    const id = await addWebhook(app, {
      url: 'https://hooks.example.com/a',
      events: ['document.*'],
      description: 'Badges',
      headers: { 'x-lower': 'a', 'X-Upper': 'b' },
      payload_format: 'flat',
      status: 'deactivated',
      deactivated_at: '2026-03-10T06:32:04.119Z',
      deactivation_reason: 'server_error',
      consecutive_failures: 6,
    });
    await app.database.query(
      `update webhooks set last_delivery_at = '2026-03-10T06:32:03.840Z', last_success_at = '2026-03-09T14:02:39.007Z',
       last_status_code = 503 where id = $1`,
      [id],
    );
    const { body, text } = await app.admin.get(path(id)).expect(200);
    expect(body).toEqual({
      warnings: [],
      max_per_second: null,
      id,
      url: 'https://hooks.example.com/a',
      events: ['document.*'],
      description: 'Badges',
      headers: { 'x-lower': '***', 'X-Upper': '***' },
      payload_format: 'flat',
      payload_version: '1.0.0',
      status: 'deactivated',
      previous_secret_expires_at: null,
      deactivated_at: '2026-03-10T06:32:04.119Z',
      deactivation_reason: 'server_error',
      consecutive_failures: 6,
      last_delivery_at: '2026-03-10T06:32:03.840Z',
      last_success_at: '2026-03-09T14:02:39.007Z',
      last_status_code: 503,
      created_by: app.admin.user_id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(text).not.toContain(knownSecret);
  });

  test('accepts the id in upper case', async () => {
    const id = await addWebhook(app);
    expect((await app.admin.get(path(id.toUpperCase())).expect(200)).body.id).toBe(id);
  });
});

describe('refuses bad input', () => {
  test.each(['not-a-uuid', 'event-type', '%00', '%F0'])('returns 404 for the id %s', async (id) => {
    const { body } = await app.admin.get(path(id)).expect(404);
    expect(body.error).toBe('not_found');
  });

  test('rejects an unknown parameter', async () => {
    await app.admin.get(`${path(await addWebhook(app))}?secret=true`).expect(400);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    const id = await addWebhook(app);
    for (const client of [app.manager, app.employee]) await client.get(path(id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.get(path(await addWebhook(app))).expect(404);
  });
});
