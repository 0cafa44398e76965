import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from oauth_clients where company_id is not null'));

const path = '/v1/apps';
const minimal = { name: 'Shift planner', kind: 'confidential', redirect_uris: ['https://planner.example/callback'] };
const create = (body: unknown) => app.admin.post(path, body);
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code)]));
const count = async () => (await app.database.query('select 1 from oauth_clients where company_id is not null')).length;

describe('succeeds', () => {
  test('returns an ETag that works with If-Match', async () => {
    const { body, headers } = await create(minimal).expect(201);
    const visible = await app.admin.get(`${path}/${body.id}`).expect(200);
    expect(headers.etag).toBe(visible.headers.etag);
    const change = () => app.admin.put(`${path}/${body.id}`, { name: 'Renamed' }).set('If-Match', headers.etag!);
    await change().expect(200);
    await change().expect(412);
  });

  test('stores every field', async () => {
    const sent = {
      ...minimal,
      description: 'Plans the shifts',
      logo_url: 'https://planner.example/logo.png',
      website: 'https://planner.example',
      scopes: ['profile', 'offline_access'],
      visibility: 'everyone',
    };
    const { body, headers } = await create(sent).expect(201);
    expect(body).toEqual({
      ...sent,
      id: expect.any(String),
      client_id: body.id,
      previous_secret_expires_at: null,
      jwks: null,
      approved_at: null,
      created_by: app.admin.user_id,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: body.created_at,
      client_secret: expect.stringMatching(/^cma_cs_[0-9A-Za-z]{49}$/),
    });
    expect(headers.location).toBe(`/v1/apps/${body.id}`);
    const { client_secret: _, ...visible } = body;
    expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(visible);
  });

  test('needs only the required fields', async () => {
    const { body } = await create({ ...minimal, name: '  Shift planner ', website: '' }).expect(201);
    const unset = { description: null, logo_url: null, website: null, scopes: null, visibility: 'company' };
    expect(body).toMatchObject({ ...minimal, ...unset });
  });

  test('a public app gets no secret, and may use a custom URI scheme', async () => {
    const redirectUris = ['com.example.planner:/callback', 'http://127.0.0.1/callback'];
    const { body } = await create({ ...minimal, kind: 'public', redirect_uris: redirectUris }).expect(201);
    expect(body).toMatchObject({ kind: 'public', client_secret: null, redirect_uris: redirectUris });
  });

  test('normalizes and deduplicates redirect URIs', async () => {
    const redirectUris = ['https://Planner.example:443', 'https://planner.example/', 'https://planner.example/a b'];
    const { body } = await create({ ...minimal, redirect_uris: redirectUris }).expect(201);
    expect(body.redirect_uris).toEqual(['https://planner.example/', 'https://planner.example/a%20b']);
    const { body: same } = await app.admin.put(`/v1/apps/${body.id}`, { redirect_uris: redirectUris }).expect(200);
    expect([same.redirect_uris, same.updated_at]).toEqual([body.redirect_uris, body.updated_at]);
  });

  test('keeps the secret out of every table of the database', async () => {
    const { client_secret: clientSecret } = (await create(minimal).set('Idempotency-Key', randomUUID()).expect(201))
      .body;
    const tables = await app.database.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const filled: string[] = [];
    for (const { name } of tables) {
      const rows = await app.database.query<{ row: string }>(`select to_json(t)::text as row from ${name} t`);
      if (rows.length > 0) filled.push(name);
      const text = rows.map(({ row }) => row).join();
      expect([name, text.includes(clientSecret), text.includes(Buffer.from(clientSecret).toString('hex'))]).toEqual([
        name,
        false,
        false,
      ]);
    }
    const written = ['public.oauth_clients', 'public.idempotency_keys', 'public.audit_log'];
    expect(filled).toEqual(expect.arrayContaining(written));
  });

  test('repeating the request with the same Idempotency-Key creates one app', async () => {
    const key = randomUUID();
    const first = await create(minimal).set('Idempotency-Key', key).expect(201);
    const second = await create(minimal).set('Idempotency-Key', key).expect(201);
    expect(second.body).toEqual(first.body);
    expect(await count()).toBe(1);
  });

  test('the audit log entry names the app', async () => {
    const { body, headers } = await create(minimal).expect(201);
    const [entry] = await app.database.query('select * from audit_log where request_id = $1', [
      headers['x-request-id'],
    ]);
    expect(entry).toMatchObject({ action: 'createApp', target_type: 'app', target_id: body.id });
  });
});

describe('refuses bad input', () => {
  const uris = (...redirectUris: string[]) => ({ ...minimal, redirect_uris: redirectUris });
  test.each([
    [{}, { name: ['required'], kind: ['required'], redirect_uris: ['required'] }],
    [{ ...minimal, name: ' ' }, { name: ['too_short'] }],
    [{ ...minimal, name: 'Two\nlines' }, { name: ['invalid_format'] }],
    [{ ...minimal, name: 'Payroll \u202egro.elpmaxe' }, { name: ['invalid_format'] }],
    [{ ...minimal, name: 'Pay\u200broll' }, { name: ['invalid_format'] }],
    [{ ...minimal, kind: 'native' }, { kind: ['not_in_enum'] }],
    [{ ...minimal, visibility: 'all' }, { visibility: ['not_in_enum'] }],
    [{ ...minimal, website: 'http://planner.example' }, { website: ['invalid_format'] }],
    [{ ...minimal, logo_url: 'javascript:alert(1)' }, { logo_url: ['invalid_format'] }],
    [{ ...minimal, scopes: ['profile', 'everything'] }, { 'scopes.1': ['not_in_enum'] }],
    [{ ...minimal, scopes: ['constructor'] }, { 'scopes.0': ['not_in_enum'] }],
    [{ ...minimal, scopes: [] }, { scopes: ['too_short'] }],
    [uris(), { redirect_uris: ['too_short'] }],
    [uris('callback'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('http://planner.example/'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('https://planner.example/#a'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('https://me@planner.example/'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('com.example.planner:/callback'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris("https://b.example';/x"), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('https://*.evil.example/cb'), { 'redirect_uris.0': ['invalid_format'] }],
    [
      uris('https://a..b/', 'https://xn--/'),
      { 'redirect_uris.0': ['invalid_format'], 'redirect_uris.1': ['invalid_format'] },
    ],
    [uris('https://plan\r\nner.example/cb'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris('https://planner.example/\tcb'), { 'redirect_uris.0': ['invalid_format'] }],
    [uris(`https://planner.example/${'ü'.repeat(400)}`), { 'redirect_uris.0': ['too_long'] }],
    [{ ...uris('com.example.planner://*/cb'), kind: 'public' }, { 'redirect_uris.0': ['invalid_format'] }],
    [{ ...uris('javascript:alert(1)'), kind: 'public' }, { 'redirect_uris.0': ['invalid_format'] }],
    [{ ...minimal, client_secret: 'mine' }, { client_secret: ['field_not_allowed'] }],
    [{ ...minimal, approved_at: '2026-01-01T00:00:00.000Z' }, { approved_at: ['field_not_allowed'] }],
  ])('rejects %j', async (sent, expected) => {
    const { body } = await create(sent).expect(400);
    expect(body.error).toBe('validation_error');
    expect(codes(body.details)).toEqual(expected);
    expect(await count()).toBe(0);
  });
});

describe('conflicts', () => {
  test('enforces the limit of 20 per company under concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 22 }, () => create(minimal)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([1, 2].map(() => [409, 'conflict']));
    await app.outsider.post(path, minimal).expect(201);
    await app.admin.delete(`${path}/${responses.find(({ status }) => status === 201)!.body.id}`).expect(200);
    await create(minimal).expect(201);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins whatever the body, and tokens without the scope', async () => {
    for (const client of [app.manager, app.employee]) await client.post(path, { nonsense: 1 }).expect(403);
    const client = await app.as('admin', { scopes: ['webhooks:manage'] });
    const { body } = await client.post(path, minimal).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['apps:manage'] } });
  });
});

describe('invisible to another company', () => {
  test('the app belongs to the company that registered it', async () => {
    const { body } = await create(minimal).expect(201);
    await app.outsider.get(`${path}/${body.id}`).expect(404);
    await app.outsider.put(`${path}/${body.id}`, { name: 'Mine' }).expect(404);
    await app.outsider.delete(`${path}/${body.id}`).expect(404);
    expect((await app.outsider.get(path).expect(200)).body.data).toEqual([]);
  });
});
