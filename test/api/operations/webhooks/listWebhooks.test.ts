import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addWebhook } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from webhooks'));

const path = '/v1/webhooks';

async function page(client: TestClient, query: Record<string, string | number> = {}) {
  const { body } = await client.get(path).query(query).expect(200);
  return body as { data: { id: string }[]; pagination: { hasMore: boolean; nextCursor: string | null } };
}

describe('succeeds', () => {
  test('lists active and deactivated subscriptions, oldest first, without secrets', async () => {
    const sent = { url: 'http://127.0.0.1:9009/hook', events: ['*'], headers: { 'X-A': 'b' } };
    const first = (await app.admin.post(path, sent).expect(201)).body;
    const second = (await app.admin.post(path, { ...sent, payload_format: 'flat' }).expect(201)).body;
    const { body: deactivated } = await app.admin.put(`${path}/${first.id}`, { status: 'deactivated' }).expect(200);
    const { secret: _, ...other } = second;
    const pagination = { hasMore: false, nextCursor: null };
    const response = await app.admin.get(path).expect(200);
    expect(response.body).toEqual({ data: [deactivated, other], pagination });
    expect(response.text).not.toContain('whsec_');
  });

  test('is empty without subscriptions', async () => {
    expect(await page(app.admin)).toEqual({ data: [], pagination: { hasMore: false, nextCursor: null } });
  });

  test('pages of any size return each once, oldest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push(await addWebhook(app));
    await app.database.query("update webhooks set created_at = '2026-01-01T00:00:00Z'");
    for (const limit of [1, 3, 7, 8]) {
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, pagination } = await page(app.admin, cursor ? { limit, cursor } : { limit });
        walked.push(...data.map(({ id }) => id));
        cursor = pagination.nextCursor;
      }
      expect(walked).toEqual(ids);
    }
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=101', 'limit', 'out_of_range'],
    ['status=active', 'status', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects a cursor that is forged or another company’s', async () => {
    await addWebhook(app);
    await addWebhook(app);
    const nextCursor = (await page(app.admin, { limit: 1 })).pagination.nextCursor!;
    expect((await page(app.admin, { cursor: nextCursor })).data).toHaveLength(1);
    const middle = nextCursor.length >> 1;
    const altered = nextCursor[middle] === 'A' ? 'B' : 'A';
    for (const [client, cursor] of [
      [app.admin, 'garbage'],
      [app.admin, `${nextCursor.slice(0, middle)}${altered}${nextCursor.slice(middle + 1)}`],
      [app.outsider, nextCursor],
    ] as const) {
      const { body } = await client.get(path).query({ cursor }).expect(400);
      expect(body.error).toBe('invalid_cursor');
    }
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
  });
});

describe('invisible to another company', () => {
  test('each company lists only its own subscriptions', async () => {
    const own = await addWebhook(app);
    const foreign = await addWebhook(app, {}, app.outsider.company_id);
    expect((await page(app.admin)).data.map(({ id }) => id)).toEqual([own]);
    expect((await page(app.outsider)).data.map(({ id }) => id)).toEqual([foreign]);
  });
});
