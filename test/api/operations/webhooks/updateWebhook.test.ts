import { storedHeaders } from '../../../../src/product/webhooks/subscriptions/subscriptions.ts';
import { createWebhookSettings } from '../../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { receiver } from '../../../helpers/network/receiver.ts';
import { addDelivery, addWebhook, deliveriesOf } from '../../../helpers/resources/webhooks.ts';
import { testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app, { events: ['document.*', 'import.failed'], description: 'Old', headers: { 'X-A': 'a' } });
});

const path = (id: string) => `/v1/webhooks/${id}`;
const put = (update: unknown) => app.admin.put(path(id), update);
const read = async () => (await app.admin.get(path(id)).expect(200)).body;
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code)]));
/** The headers as they are sent. */
const stored = async () => {
  const sql = 'select company_id, id, headers_encrypted from webhooks where id = $1';
  const [row] = await app.database.query<{ company_id: string; id: string; headers_encrypted: Buffer | null }>(sql, [
    id,
  ]);
  return storedHeaders(row!, createWebhookSettings(app.config));
};
const events = () =>
  app.database.query("select payload from events where name = 'webhook.deactivated' and payload::jsonb ->> 'id' = $1", [
    id,
  ]);

describe('succeeds', () => {
  test('with If-Match, changes only the version that was read', async () => {
    const readEtag = async () => (await app.admin.get(path(id)).expect(200)).headers.etag!;
    const etag = await readEtag();
    await app.database.query('update webhooks set last_delivery_at = now() where id = $1', [id]);
    expect(await readEtag()).toBe(etag);
    const changed = await put({ events: ['document.*'] })
      .set('If-Match', etag)
      .expect(200);
    const { body } = await put({ headers: { 'X-A': 'b' } })
      .set('If-Match', etag)
      .expect(412);
    expect(body.error).toBe('precondition_failed');
    expect(await stored()).toEqual({ 'X-A': 'a' });
    expect(await readEtag()).toBe(changed.headers.etag);
    const later = await put({ headers: { 'X-A': 'b' } })
      .set('If-Match', changed.headers.etag!)
      .expect(200);
    expect(later.headers.etag).not.toBe(changed.headers.etag);
  });

  test('changes only the fields sent', async () => {
    const before = await read();
    const update = { url: 'http://127.0.0.1:9009/', events: ['*'], payload_format: 'flat' };
    const { body } = await put(update).expect(200);
    expect(body).toEqual({ ...before, ...update, updated_at: expect.any(String) });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect(await read()).toEqual(body);
  });

  test('null clears optional fields', async () => {
    expect((await put({ max_per_second: 5 }).expect(200)).body.max_per_second).toBe(5);
    expect((await put({ description: 'Kept' }).expect(200)).body.max_per_second).toBe(5);
    const { body } = await put({ description: null, headers: null, max_per_second: null }).expect(200);
    expect(body).toMatchObject({ description: null, headers: {}, max_per_second: null });
  });

  test('adds, replaces, and removes single headers, case-insensitively', async () => {
    await put({ headers: { 'X-B': 'b', 'X-C': 'c' } }).expect(200);
    const { body } = await put({ headers: { 'x-a': 'new', 'X-b': null, 'X-Gone': null, 'X-D': 'd' } }).expect(200);
    expect(Object.entries(body.headers)).toEqual([
      ['x-a', '***'],
      ['X-C', '***'],
      ['X-D', '***'],
    ]);
    expect(await stored()).toEqual({ 'x-a': 'new', 'X-C': 'c', 'X-D': 'd' });
  });

  test('a masked value keeps the stored one, in any case, and is rejected if there is none', async () => {
    await put({ headers: { 'X-B': 'b' } }).expect(200);
    const { headers } = (await put({ headers: { 'x-a': '***', 'X-B': '***' } }).expect(200)).body;
    expect(headers).toEqual({ 'x-a': '***', 'X-B': '***' });
    expect(await stored()).toEqual({ 'x-a': 'a', 'X-B': 'b' });
    const { body } = await put({ headers: { 'X-New': '***', 'X-B': null } }).expect(400);
    expect(codes(body.details)).toEqual({ 'headers.X-New': ['invalid_format'] });
    expect(await stored()).toEqual({ 'x-a': 'a', 'X-B': 'b' });
  });

  test('a new origin drops stored headers unless they are sent again', async () => {
    const headers = { Authorization: 'Bearer SUPERSECRETHDR', 'X-B': 'bbbbbbbb', 'X-C': 'cccccccc' };
    const moves = ['https://127.0.0.1:9009/hook', 'http://localhost:9009/hook', 'http://127.0.0.1:9010/hook'];
    for (const url of moves) {
      await put({ url: 'http://127.0.0.1:9009/hook' }).expect(200);
      await put({ headers }).expect(200);
      const sent = { url, headers: { 'x-b': 'anew', 'X-C': null, Authorization: '***', 'X-New': 'n' } };
      const { body, headers: responseHeaders } = await put(sent).expect(200);
      expect(await stored()).toEqual({ 'x-b': 'anew', 'X-New': 'n' });
      expect(Object.keys(body.headers)).toEqual(['x-b', 'X-New']);
      const dropped = body.warnings.map(({ field }: { field: string }) => field);
      expect(dropped).toEqual([...(url === moves[0] ? ['headers.X-A'] : []), 'headers.Authorization']);
      expect(body.warnings.at(-1).message).toContain('dropped');
      expect((await read()).warnings).toEqual([]);
      const [entry] = await app.database.query('select details from audit_log where request_id = $1', [
        responseHeaders['x-request-id'],
      ]);
      expect(entry!.details.dropped_headers).toEqual(dropped.map((field: string) => field.replace('headers.', '')));
      expect(JSON.stringify(entry)).not.toContain('SUPERSECRET');
    }
  });

  test('the same origin keeps stored headers, however the URL is written', async () => {
    for (const url of ['http://127.0.0.1:9009/other?x=1', 'HTTP://127.1:9009/other?x=1']) {
      const { body, headers } = await put({ url }).expect(200);
      expect([body.url, body.headers, body.warnings]).toEqual([
        'http://127.0.0.1:9009/other?x=1',
        { 'X-A': '***' },
        [],
      ]);
      const [entry] = await app.database.query('select details from audit_log where request_id = $1', [
        headers['x-request-id'],
      ]);
      expect(entry!.details).toEqual({ fields: ['url'] });
    }
    expect(await stored()).toEqual({ 'X-A': 'a' });
  });

  test('never sends stored headers to a new receiver', async () => {
    const [other, worker] = [await receiver(), await testWorker(app)];
    try {
      await put({ headers: { Authorization: 'Bearer SUPERSECRETHDR' } }).expect(200);
      await put({ url: other.url }).expect(200);
      await put({ headers: { Authorization: '***' } }).expect(400);
      await app.admin.post(`${path(id)}/test?wait=true`).expect(200);
      await put({ headers: { Authorization: 'Bearer ANOTHERHDR' } }).expect(200);
      await app.admin.post(`${path(id)}/test?wait=true`).expect(200);
      const [first, second] = await other.received(2);
      expect(JSON.stringify(first!.headers)).not.toMatch(/Authorization|SUPERSECRETHDR|X-A/i);
      expect(second!.headers).toContainEqual(['Authorization', 'Bearer ANOTHERHDR']);
    } finally {
      await worker.stop();
      await other.close();
    }
  });

  test('warns about a header that overrides our signature', async () => {
    const { body } = await put({ headers: { 'X-Webhook-Signature': 'mine' } }).expect(200);
    expect(body.warnings).toMatchObject([{ field: 'headers.X-Webhook-Signature' }]);
  });

  test('keeps up to 20 headers after the change', async () => {
    const headers = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`X-${i}`, 'x']));
    await put({ headers }).expect(200);
    const { body } = await put({ headers: { 'X-20': 'x' } }).expect(400);
    expect(codes(body.details)).toEqual({ headers: ['too_long'] });
    await put({ headers: { 'X-20': 'x', 'X-A': null } }).expect(200);
  });

  test.each([
    [{}],
    [{ description: 'Old', events: ['document.*', 'import.failed'], headers: { 'X-A': 'a', 'X-B': null } }],
    [{ url: 'http://127.0.0.1:9009/hook', payload_format: 'envelope', status: 'active' }],
  ])('%j changes nothing', async (update) => {
    const before = await read();
    expect((await put(update).expect(200)).body).toEqual(before);
    expect(await read()).toEqual(before);
  });

  test('deactivation cancels pending deliveries, finishes one in progress, and keeps ended ones', async () => {
    for (const status of ['pending', 'delivering', 'succeeded', 'failed']) await addDelivery(app, id, { status });
    const { body } = await put({ status: 'deactivated', description: 'Paused' }).expect(200);
    expect(body).toMatchObject({
      status: 'deactivated',
      deactivation_reason: 'manual',
      deactivated_at: expect.any(String),
      description: 'Paused',
    });
    expect(await read()).toEqual(body);
    const deliveries = await deliveriesOf(app, id);
    expect(deliveries.map(({ status }) => status)).toEqual(['cancelled', 'delivering', 'succeeded', 'failed']);
    expect(deliveries[0]).toMatchObject({ due_at: null, completed_at: expect.any(Date) });
  });

  test('reactivation resets failures, and sends nothing that was missed', async () => {
    await addDelivery(app, id, { status: 'pending' });
    await put({ status: 'deactivated' }).expect(200);
    await app.database.query('update webhooks set consecutive_failures = 6 where id = $1', [id]);
    const { body } = await put({ status: 'active' }).expect(200);
    expect(body).toMatchObject({
      status: 'active',
      deactivation_reason: null,
      deactivated_at: null,
      consecutive_failures: 0,
    });
    expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['cancelled']);
  });
});

describe('refuses bad input', () => {
  test.each([
    [
      { url: null, events: null, payload_format: null, status: null },
      {
        url: ['not_clearable'],
        events: ['not_clearable'],
        payload_format: ['not_clearable'],
        status: ['not_clearable'],
      },
    ],
    [{ url: 'ftp://127.0.0.1/' }, { url: ['invalid_format'] }],
    [
      { events: ['document.*', 'no.such'], headers: { host: 'x', 'X-Z': '1', 'x-z': null } },
      { 'events.1': ['not_in_enum'], 'headers.host': ['field_not_allowed'], 'headers.x-z': ['taken'] },
    ],
    [{ events: ['*', '*'] }, { events: ['invalid_format'] }],
    [{ status: 'gone' }, { status: ['not_in_enum'] }],
    [
      { secret: 'x', id: 'y' },
      { secret: ['field_not_allowed'], id: ['field_not_allowed'] },
    ],
  ])('rejects %j', async (update, expected) => {
    const before = await read();
    const { body } = await put(update).expect(400);
    expect(codes(body.details)).toEqual(expected);
    expect(await read()).toEqual(before);
  });

  test('rejects an empty body', async () => {
    await put(undefined).expect(400);
  });
});

describe('conflicts', () => {
  test('keeps all concurrent changes', async () => {
    const updates = [
      { description: 'New' },
      { events: ['*'] },
      { payload_format: 'flat' },
      ...['B', 'C', 'D', 'E'].map((name) => ({ headers: { [`X-${name}`]: name } })),
    ];
    const responses = await Promise.all(updates.map((update) => put(update)));
    expect(responses.map(({ status }) => status)).toEqual(updates.map(() => 200));
    expect(await read()).toMatchObject({
      description: 'New',
      events: ['*'],
      payload_format: 'flat',
    });
    expect(await stored()).toEqual({ 'X-A': 'a', 'X-B': 'B', 'X-C': 'C', 'X-D': 'D', 'X-E': 'E' });
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) {
      await client.put(path(id), { description: 'Mine' }).expect(403);
      await client.put(path(id), { nonsense: 1 }).expect(403);
    }
    expect((await read()).description).toBe('Old');
  });
});

describe('invisible to another company', () => {
  test('returns 404 before reading the body', async () => {
    await app.outsider.put(path(id), { description: 'Mine' }).expect(404);
    await app.outsider.put(path(id), { nonsense: 1 }).expect(404);
    expect((await read()).description).toBe('Old');
  });
});

describe('emits', () => {
  test('emits webhook.deactivated once with the actor, and sends no email to admins', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => put({ status: 'deactivated' })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(JSON.parse(event!.payload)).toEqual({
      id,
      description: 'Old',
      host: '127.0.0.1',
      reason: 'manual',
      last_status_code: null,
      consecutive_failures: 0,
      deactivated_by: app.admin.user_id,
      deactivated_at: (await read()).deactivated_at,
    });
    expect(await app.database.query("select 1 from graphile_worker.jobs where task_identifier = 'sendMail'")).toEqual(
      [],
    );
  });

  test('emits nothing for other or rejected changes', async () => {
    await put({ description: 'New' }).expect(200);
    await put({ status: 'deactivated', events: ['no.such'] }).expect(400);
    expect(await events()).toEqual([]);
  });
});
