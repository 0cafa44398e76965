import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app);
});

const path = (id: string) => `/v1/webhooks/${id}/deliveries`;

async function page(query: Record<string, string | number> = {}, client: TestClient = app.admin) {
  const { body } = await client.get(path(id)).query(query).expect(200);
  return body as { data: { id: string }[]; pagination: { hasMore: boolean; nextCursor: string | null } };
}

const ids = async (query: Record<string, string>) => (await page(query)).data.map((delivery) => delivery.id);

/** Inserts `count` deliveries, some with the same timestamp. */
async function fill(count: number): Promise<void> {
  await app.database.query(
    `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'import.failed', 'flat', 'failed',
       '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 ms'
     from generate_series(1, $3) n`,
    [app.company_id, id, count],
  );
}

describe('succeeds', () => {
  test('lists the newest first with their current status', async () => {
    const waiting = await addDelivery(app, id, {
      status: 'pending',
      attempt_count: 1,
      last_error_class: 'timeout',
      created_at: '2026-03-02T09:15:00.941Z',
      due_at: '2026-03-02T09:16:33.451Z',
    });
    const running = await addDelivery(app, id, { status: 'delivering', created_at: '2026-03-02T09:16:00.000Z' });
    const done = await addDelivery(app, id, {
      attempt_count: 2,
      last_status_code: 204,
      created_at: '2026-03-02T09:17:00.000Z',
      completed_at: '2026-03-02T09:18:00.000Z',
    });
    await app.database.query(
      `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms)
       values ($1, $2, 1, false, now(), 30000), ($1, $3, 1, false, now(), 412), ($1, $3, 2, false, now(), 167)`,
      [app.company_id, waiting, done],
    );
    await addDelivery(app, await addWebhook(app));
    const common = {
      webhook_id: id,
      event_id: expect.any(String),
      event: 'collaborator.created',
      attempt_count: 0,
      last_status_code: null,
      last_duration_ms: null,
      last_error_class: null,
      last_error: null,
      next_attempt_at: null,
      completed_at: null,
    };
    expect(await page()).toEqual({
      data: [
        {
          ...common,
          id: done,
          status: 'succeeded',
          attempt_count: 2,
          last_status_code: 204,
          last_duration_ms: 167,
          created_at: '2026-03-02T09:17:00.000Z',
          completed_at: '2026-03-02T09:18:00.000Z',
        },
        { ...common, id: running, status: 'delivering', created_at: '2026-03-02T09:16:00.000Z' },
        {
          ...common,
          id: waiting,
          status: 'pending',
          attempt_count: 1,
          last_duration_ms: 30_000,
          last_error_class: 'timeout',
          last_error: expect.stringContaining('The endpoint did not respond in time'),
          next_attempt_at: '2026-03-02T09:16:33.451Z',
          created_at: '2026-03-02T09:15:00.941Z',
        },
      ],
      pagination: { hasMore: false, nextCursor: null },
    });
  });

  test('combines filters', async () => {
    const createdAt = '2026-02-01T00:00:00.000Z';
    const failed = await addDelivery(app, id, { status: 'failed', created_at: createdAt });
    const other = await addDelivery(app, id, { status: 'failed', event: 'document.deleted', created_at: createdAt });
    const later = await addDelivery(app, id, { status: 'failed', created_at: '2026-02-02T00:00:00.000Z' });
    const done = await addDelivery(app, id, { created_at: createdAt });
    expect(await ids({})).toEqual([later, done, other, failed]);
    expect(await ids({ event: '*' })).toEqual([later, done, other, failed]);
    expect(await ids({ status: 'failed' })).toEqual([later, other, failed]);
    expect(await ids({ event: 'collaborator.*' })).toEqual([later, done, failed]);
    expect(await ids({ event: 'document.deleted' })).toEqual([other]);
    expect(await ids({ event: 'rocket.launched' })).toEqual([]);
    expect(await ids({ since: '2026-02-02T00:00:00Z' })).toEqual([later]);
    expect(await ids({ until: '2026-02-02T01:00:00+01:00' })).toEqual([done, other, failed]);
    expect(await ids({ status: 'failed', event: 'collaborator.created', until: '2026-02-02T00:00:00Z' })).toEqual([
      failed,
    ]);
  });

  test('pages of any size return each once, also with a filter', async () => {
    await fill(25);
    await addDelivery(app, id);
    const all = (await page({ limit: 100, status: 'failed' })).data;
    expect(all).toHaveLength(25);
    for (const limit of [1, 4, 25]) {
      const walked: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit, status: 'failed', since: '2026-01-01T00:00:00Z' };
        const { data, pagination } = await page(cursor ? { ...query, cursor } : query);
        walked.push(...data);
        cursor = pagination.nextCursor;
      }
      expect(walked).toEqual(all);
    }
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['status=done', 'status', 'not_in_enum'],
    ['since=yesterday', 'since', 'invalid_format'],
    ['until=2026-13-01T00:00:00Z', 'until', 'invalid_format'],
    ['event=created', 'event', 'invalid_format'],
    ['page=2', 'page', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path(id)}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects a cursor of another subscription or filter', async () => {
    await fill(3);
    const cursor = (await page({ limit: 1 })).pagination.nextCursor!;
    const other = await addWebhook(app);
    for (const send of [
      app.admin.get(path(other)).query({ cursor }),
      app.admin.get(path(id)).query({ cursor, status: 'failed' }),
      app.admin.get(path(id)).query({ cursor: 'garbage' }),
    ]) {
      expect((await send.expect(400)).body.error).toBe('invalid_cursor');
    }
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path(id)).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.get(path(id)).expect(404);
  });

  test('omits deliveries of another company under the same id', async () => {
    const own = await addDelivery(app, id);
    await addDelivery(app, id, {}, app.outsider.company_id);
    expect((await page()).data.map((delivery) => delivery.id)).toEqual([own]);
  });
});
