import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from webhooks'));

const path = '/v1/webhooks';
const url = 'http://127.0.0.1:9009/hook';
const create = (body: unknown) => app.admin.post(path, body);
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code)]));
const count = async () => (await app.database.query('select 1 from webhooks')).length;

describe('succeeds', () => {
  test('stores every field', async () => {
    const sent = {
      url: 'http://127.0.0.1:9009/hook?key=%C3%A4&b',
      events: ['collaborator.*', 'import.completed', 'device.updated'],
      description: 'Keeps the badges up to date',
      headers: { 'X-Gate': 'campinas', authorization: 'Bearer of tidings' },
      payload_format: 'flat',
      max_per_second: 20,
    };
    const { body, headers } = await create(sent).expect(201);
    expect(body).toEqual({
      ...sent,
      headers: { 'X-Gate': '***', authorization: '***' },
      warnings: [],
      id: expect.any(String),
      payload_version: '1.0.0',
      status: 'active',
      previous_secret_expires_at: null,
      deactivated_at: null,
      deactivation_reason: null,
      consecutive_failures: 0,
      last_delivery_at: null,
      last_success_at: null,
      last_status_code: null,
      created_by: app.admin.user_id,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: body.created_at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(headers.location).toBe(`/v1/webhooks/${body.id}`);
    const { secret: _, ...visible } = body;
    const reread = await app.admin.get(headers.location!).expect(200);
    expect(reread.body).toEqual(visible);
    expect(Object.keys(reread.body.headers)).toEqual(['X-Gate', 'authorization']);
    expect(JSON.stringify([body, reread.body])).not.toMatch(/"campinas"|tidings/);
  });

  test('stores a header that overrides our signature, with a warning', async () => {
    const headers = { 'x-webhook-SIGNATURE': 'mine', 'webhook-id': '1', 'User-Agent': 'Gate/1' };
    const { body } = await create({ url, events: ['*'], headers }).expect(201);
    expect(body.warnings).toEqual([
      { field: 'headers.x-webhook-SIGNATURE', message: expect.stringContaining('verify our signature') },
      { field: 'headers.webhook-id', message: expect.stringContaining('repeated event') },
    ]);
    expect((await app.admin.get(`/v1/webhooks/${body.id}`).expect(200)).body.warnings).toEqual(body.warnings);
  });

  test('needs only the required fields', async () => {
    const { body } = await create({ url, events: ['*'] }).expect(201);
    expect(body).toMatchObject({ url, events: ['*'], description: null, headers: {}, payload_format: 'envelope' });
    const { body: cleared } = await create({ url, events: ['*'], description: null, headers: null }).expect(201);
    expect(cleared).toMatchObject({ description: null, headers: {} });
  });

  test('secrets are unique, and neither secrets nor headers are stored in plain text', async () => {
    const sent = { url, events: ['*'], headers: { 'X-Key': 'open-sesame' } };
    const secrets = [(await create(sent)).body.secret, (await create(sent)).body.secret];
    expect(new Set(secrets).size).toBe(2);
    // Binary columns in hexadecimal digits.
    const rows = await app.database.query<{ text: string }>('select w::text as text from webhooks w');
    expect(rows).toHaveLength(2);
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const keys = secrets.map((secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex'));
    const plain = [...secrets, 'whsec_', 'X-Key', 'open-sesame'].flatMap((text) => [text, hex(text)]);
    for (const { text } of rows) {
      expect(text).toContain(url);
      expect([...plain, ...keys].filter((each) => text.includes(each))).toEqual([]);
    }
  });

  test('repeating the request with the same Idempotency-Key returns the same secret, which is stored encrypted', async () => {
    const key = randomUUID();
    const send = () => create({ url, events: ['*'] }).set('Idempotency-Key', key);
    const first = await send().expect(201);
    const second = await send().expect(201);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect([second.body, second.headers.location]).toEqual([first.body, first.headers.location]);
    expect(await count()).toBe(1);
    const [storedResponse] = await app.database.query('select body_encrypted from idempotency_keys');
    expect(storedResponse!.body_encrypted.toString('latin1')).not.toContain('whsec_');
  });
});

describe('refuses bad input', () => {
  test.each([
    [{}, { url: ['required'], events: ['required'] }],
    [{ url: 'hooks', events: ['*'] }, { url: ['invalid_format'] }],
    [{ url: 'ftp://127.0.0.1/', events: ['*'] }, { url: ['invalid_format'] }],
    [{ url: 'http://me:secret@127.0.0.1/', events: ['*'] }, { url: ['invalid_format'] }],
    [{ url, events: [] }, { events: ['too_short'] }],
    [{ url, events: Array.from({ length: 51 }, (_, i) => `${'a'.repeat(i + 1)}.b`) }, { events: ['too_long'] }],
    [{ url, events: ['collaborator.created', 'nothing'] }, { 'events.1': ['invalid_format'] }],
    [
      { url, events: ['collaborator.created', 'collaborator.promoted', 'rocket.*'] },
      { 'events.1': ['not_in_enum'], 'events.2': ['not_in_enum'] },
    ],
    [{ url, events: ['*'], description: 5 }, { description: ['invalid_type'] }],
    [{ url, events: ['*'], payload_format: 'xml' }, { payload_format: ['not_in_enum'] }],
    [{ url, events: ['*'], max_per_second: 0 }, { max_per_second: ['out_of_range'] }],
    [{ url, events: ['*'], max_per_second: 1001 }, { max_per_second: ['out_of_range'] }],
    [{ url, events: ['*'], max_per_second: 1.5 }, { max_per_second: ['invalid_type'] }],
    [{ url, events: ['*'], secret: 'x' }, { secret: ['field_not_allowed'] }],
    [{ url, events: ['*'], status: 'active' }, { status: ['field_not_allowed'] }],
    [{ url, events: ['*'], headers: { 'X-A': ' padded ' } }, { 'headers.X-A': ['invalid_format'] }],
    [{ url, events: ['*'], headers: { 'X-A': 'two\nlines' } }, { 'headers.X-A': ['invalid_format'] }],
    [{ url, events: ['*'], headers: { 'X-A': '***' } }, { 'headers.X-A': ['invalid_format'] }],
    [{ url, events: ['*'], headers: { 'X-A': null } }, { 'headers.X-A': ['invalid_type'] }],
    [
      { url, events: ['*'], headers: { Host: 'a', 'CONTENT-length': '1', te: 'b', 'X-A': 'c', 'x-a': 'd' } },
      {
        'headers.Host': ['field_not_allowed'],
        'headers.CONTENT-length': ['field_not_allowed'],
        'headers.te': ['field_not_allowed'],
        'headers.x-a': ['taken'],
      },
    ],
    [
      { url: 'ftp://127.0.0.1/', events: ['a.b'], headers: { Expect: 'x' } },
      { url: ['invalid_format'], 'events.0': ['not_in_enum'], 'headers.Expect': ['field_not_allowed'] },
    ],
  ])('rejects %j', async (sent, expected) => {
    const { body } = await create(sent).expect(400);
    expect(body.error).toBe('validation_error');
    expect(codes(body.details)).toEqual(expected);
    expect(await count()).toBe(0);
  });

  test('rejects more than 20 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'x']));
    const { body } = await create({ url, events: ['*'], headers }).expect(400);
    expect(codes(body.details)).toEqual({ headers: ['too_long'] });
  });

  test('rejects invalid header names', async () => {
    for (const name of ['X A', 'X-Ä']) {
      const { body } = await create({ url, events: ['*'], headers: { [name]: 'x' } }).expect(400);
      expect(codes(body.details)).toEqual({ headers: ['invalid_format'] });
    }
  });

  test('rejects private addresses without the development setting', async () => {
    const strict = await testApp();
    try {
      for (const refused of ['http://hooks.example.com/', 'https://127.0.0.1/', 'https://10.1.2.3/']) {
        const { body } = await strict.admin.post(path, { url: refused, events: ['*'] }).expect(400);
        expect(codes(body.details)).toEqual({ url: ['invalid_format'] });
      }
    } finally {
      await strict.close();
    }
  });
});

describe('conflicts', () => {
  test('enforces the limit of 20 per company, including deactivated ones, under concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 23 }, () => create({ url, events: ['*'] })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([1, 2, 3].map(() => [409, 'conflict']));
    expect(await count()).toBe(20);
    const { id } = responses.find(({ status }) => status === 201)!.body;
    await app.admin.put(`${path}/${id}`, { status: 'deactivated' }).expect(200);
    await create({ url, events: ['*'] }).expect(409);
    await app.outsider.post(path, { url, events: ['*'] }).expect(201);
    await app.admin.delete(`${path}/${id}`).expect(200);
    await create({ url, events: ['*'] }).expect(201);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins before reading the body', async () => {
    for (const client of [app.manager, app.employee]) {
      const { body } = await client.post(path, { nonsense: 1 }).expect(403);
      expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
      await client.post(path, { url, events: ['*'] }).expect(403);
    }
    expect(await count()).toBe(0);
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    const { body } = await client.post(path, { url, events: ['*'] }).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['webhooks:manage'] } });
  });
});

describe('invisible to another company', () => {
  test('the subscription belongs to the company that created it', async () => {
    const { body } = await create({ url, events: ['*'] }).expect(201);
    await app.outsider.get(`${path}/${body.id}`).expect(404);
    expect((await app.outsider.get(path).expect(200)).body.data).toEqual([]);
  });
});
