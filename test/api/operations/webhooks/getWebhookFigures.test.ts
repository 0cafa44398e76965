import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/webhooks/${id}/figures`;
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const figures = async (id: string) => (await app.admin.get(path(id)).expect(200)).body;

interface Ended {
  status?: string;
  minutes: number;
  delay_ms?: number;
  durations?: number[];
}

async function ended(
  webhookId: string,
  { status = 'succeeded', minutes, delay_ms: delayMs = 0, durations = [5] }: Ended,
) {
  const completedAt = ago(minutes);
  const createdAt = new Date(Date.parse(completedAt) - delayMs).toISOString();
  const fields = { status, completed_at: completedAt, created_at: createdAt, attempt_count: durations.length };
  const id = await addDelivery(app, webhookId, fields);
  for (const [at, durationMs] of durations.entries()) {
    await app.database.query(
      `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms)
       values ($1, $2, $3, false, now(), $4)`,
      [app.company_id, id, at + 1, durationMs],
    );
  }
}

const nothing = {
  since: null,
  ended: 0,
  succeeded: 0,
  failed: 0,
  failure_share: null,
  answer_ms: null,
  delay_ms: null,
  waiting: 0,
  waiting_more: false,
  oldest_waiting_at: null,
};

describe('succeeds', () => {
  test('of a subscription without deliveries', async () => {
    expect(await figures(await addWebhook(app))).toEqual(nothing);
  });

  test('cover deliveries that ended within a day, by last attempt, and pending ones', async () => {
    const id = await addWebhook(app);
    for (let n = 1; n <= 19; n++) await ended(id, { minutes: n, delay_ms: 10 * n, durations: [n] });
    await ended(id, { minutes: 30, status: 'failed', durations: [9_000, 9_000, 1_000] });
    const oldest = ago(50);
    await addDelivery(app, id, { status: 'pending', created_at: ago(5), due_at: ago(5) });
    await addDelivery(app, id, { status: 'delivering', created_at: oldest, due_at: ago(-20) });
    // Not counted: older than a day, canceled, or of another subscription.
    await ended(id, { minutes: 24 * 60 + 1, status: 'failed' });
    await addDelivery(app, id, { status: 'cancelled' });
    await ended(await addWebhook(app), { minutes: 1, status: 'failed' });
    const found = await figures(id);
    expect(found).toEqual({
      since: expect.any(String),
      ended: 20,
      succeeded: 19,
      failed: 1,
      failure_share: 0.05,
      answer_ms: { p50: 10, p95: 19 },
      delay_ms: { p50: 100, p95: 190 },
      waiting: 2,
      waiting_more: false,
      oldest_waiting_at: oldest,
    });
    expect(Date.parse(found.since)).toBeCloseTo(Date.now() - 30 * 60_000, -5);
  });

  test('cover at most the last 1,000 deliveries, and 10,000 pending ones', async () => {
    const id = await addWebhook(app);
    await app.database.query(
      `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status, due_at, completed_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'a.b', 'envelope', status,
         case when status = 'pending' then now() end,
         case when status <> 'pending' then now() - n * interval '1 second' end
       from generate_series(1, 10100) as n, unnest(array['succeeded', 'pending']) as status`,
      [app.company_id, id],
    );
    const found = await figures(id);
    expect(Date.parse(found.since)).toBeCloseTo(Date.now() - 1_000_000, -5);
    expect(found).toMatchObject({
      ended: 1_000,
      succeeded: 1_000,
      answer_ms: null,
      waiting: 10_000,
      waiting_more: true,
    });
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown id and an unknown parameter', async () => {
    await app.admin.get(path('not-a-uuid')).expect(404);
    await app.admin.get(`${path(await addWebhook(app))}?hours=1`).expect(400);
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
