import { findMember } from '../../../../src/identity/members/member.ts';
import { createVerifier } from '../../../../src/identity/tokens/verify-token.ts';
import { listenForAccessChanges } from '../../../../src/platform/notify/listen.ts';
import { renameCompany } from '../../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { longLeaseMs } from '../../../helpers/settings.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.query("update companies set name = 'Verde', time_zone = 'UTC', locale = null, policy = '{}'");
});

const put = (update: unknown) => app.admin.put('/v1/company', update);
const read = async () => (await app.admin.get('/v1/company').expect(200)).body;
const events = () =>
  app.database.query<{ payload: { company: object; changed_fields: string[]; changed_by: string | null } }>(
    "select payload::json from events where name = 'company.updated' order by id",
  );
const codes = (details: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(details).map(([field, errors]) => [field, errors.map(({ code }) => code)]));

describe('succeeds', () => {
  test('changes only the fields sent', async () => {
    const before = await read();
    const { body, headers } = await put({ name: ' Verde S.A. ', time_zone: 'America/Sao_Paulo' }).expect(200);
    expect(body).toEqual({
      ...before,
      name: 'Verde S.A.',
      time_zone: 'America/Sao_Paulo',
      updated_at: expect.any(String),
    });
    const reread = await app.admin.get('/v1/company').expect(200);
    expect([reread.body, reread.headers.etag]).toEqual([body, headers.etag]);
  });

  test('changes only the policy fields sent, replaces the scope list, and clears with null', async () => {
    await put({ policy: { step_up: true, session_max_age: 300, allowed_scopes: ['profile'] } }).expect(200);
    const { body } = await put({ policy: { session_max_age: null, allowed_scopes: [] }, locale: 'pt-BR' }).expect(200);
    expect(body).toMatchObject({
      locale: 'pt-BR',
      policy: { require_second_factor: false, step_up: true, session_max_age: null, allowed_scopes: [] },
    });
    expect((await put({ locale: null }).expect(200)).body.locale).toBeNull();
  });

  test.each([[{}], [{ name: 'Verde', policy: {} }], [{ policy: { step_up: false, allowed_scopes: null } }]])(
    '%j changes nothing',
    async (update) => {
      const [before, eventCount] = [await read(), (await events()).length];
      expect((await put(update).expect(200)).body).toEqual(before);
      expect((await events()).length).toBe(eventCount);
    },
  );

  test('keeps all of six concurrent changes', async () => {
    const updates = [
      { name: 'Six' },
      { time_zone: 'Europe/Lisbon' },
      { locale: 'pt-BR' },
      { policy: { step_up: true } },
      { policy: { session_max_age: 3_600 } },
      { policy: { allowed_scopes: ['profile'] } },
    ];
    const responses = await Promise.all(updates.map((update) => put(update)));
    const done = updates.filter((_, at) => responses[at]!.status === 200);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { policy, ...fields } of done as { policy?: object }[]) {
      expect(await read()).toMatchObject({ ...fields, ...(policy && { policy }) });
    }
  });
});

test('a policy applies in other processes long before caches expire, also to tokens already verified', async () => {
  const { db } = app.database;
  const other = listenForAccessChanges({ url: app.database.url, leaseMs: longLeaseMs });
  await other.ready;
  const { verify } = createVerifier({ db, base_url: app.base_url, cacheEntries: 10, access: other });
  const policy = async () => (await findMember(await verify(app.employee.token), db.tenant(app.company_id)))?.policy;
  expect(await policy()).toMatchObject({ step_up: false });
  await put({ policy: { step_up: true } }).expect(200);
  await eventually(async () => expect(await policy()).toMatchObject({ step_up: true }));
  await other.close();
});

test('a rename by the operator emits the same event', async () => {
  await renameCompany(app.database.db, app.company_id, 'By the operator');
  expect((await events()).at(-1)!.payload).toMatchObject({
    company: { name: 'By the operator' },
    changed_fields: ['name'],
    changed_by: null,
  });
});

describe('refuses bad input', () => {
  test.each<[object, Record<string, string[]>]>([
    [{ name: '  ' }, { name: ['too_short'] }],
    [{ name: null }, { name: ['not_clearable'] }],
    [{ name: 'Verde\u2066Log' }, { name: ['invalid_format'] }],
    [{ policy: null }, { policy: ['not_clearable'] }],
    [{ time_zone: 'Mars/Olympus' }, { time_zone: ['invalid_format'] }],
    [{ locale: 'x' }, { locale: ['invalid_format'] }],
    [{ policy: { session_max_age: 299 } }, { 'policy.session_max_age': ['out_of_range'] }],
    [{ policy: { step_up: 'yes' } }, { 'policy.step_up': ['invalid_type'] }],
    [{ policy: { allowed_scopes: ['profile', 'toString'] } }, { 'policy.allowed_scopes.1': ['not_in_enum'] }],
    [{ policy: { anything: true } }, { 'policy.anything': ['field_not_allowed'] }],
    [{ id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30' }, { id: ['field_not_allowed'] }],
  ])('rejects %j', async (update, expected) => {
    const before = await read();
    const { body } = await put(update).expect(400);
    expect(codes(body.details)).toEqual(expected);
    expect(await read()).toEqual(before);
  });
});

test('conflicts: returns 412 if it changed since it was read', async () => {
  const { etag } = (await app.admin.get('/v1/company').expect(200)).headers;
  await put({ name: 'First' }).set('If-Match', etag!).expect(200);
  const { body } = await put({ name: 'Second' }).set('If-Match', etag!).expect(412);
  expect(body.error).toBe('precondition_failed');
  expect(await read()).toMatchObject({ name: 'First' });
});

test('forbidden by role, and without the scope', async () => {
  for (const client of [app.manager, app.employee]) {
    const { body } = await client.put('/v1/company', { name: 'Mine' }).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
  }
  const reader = await app.as('admin', { scopes: ['profile'] });
  expect((await reader.put('/v1/company', { name: 'Mine' }).expect(403)).body.error).toBe('insufficient_scope');
});

test('leaves other companies unchanged', async () => {
  const before = (await app.outsider.get('/v1/company').expect(200)).body;
  await put({ name: 'Only this one', policy: { step_up: true } }).expect(200);
  expect((await app.outsider.get('/v1/company').expect(200)).body).toEqual(before);
});

test('emits company.updated, and records the policy in the audit log', async () => {
  const { body, headers } = await put({ name: 'Told', policy: { session_max_age: 600 } }).expect(200);
  expect((await events()).at(-1)!.payload).toEqual({
    company: body,
    changed_fields: ['name', 'policy.session_max_age'],
    changed_by: app.admin.user_id,
  });
  const [entry] = await app.database.query('select details from audit_log where request_id = $1', [
    headers['x-request-id'],
  ]);
  expect(entry!.details).toMatchObject({ fields: ['name', 'policy'], policy: { session_max_age: 600 } });
});

test('session_max_age expires access tokens of older sign-ins, in this company only', async () => {
  const companyIds = [app.company_id, app.outsider.company_id];
  const client = await app.as('employee', { company_ids: companyIds });
  await app.database.query("update oauth_grants set signed_in_at = now() - interval '1 hour'");
  await put({ policy: { session_max_age: 7_200 } }).expect(200);
  await client.get('/v1/company').expect(200);
  const younger = await app.as('admin', {});
  await younger.put('/v1/company', { policy: { session_max_age: 1_800 } }).expect(200);
  await eventually(async () => {
    const { body, headers } = await client.get('/v1/company').expect(401);
    expect([body.error, headers['www-authenticate']]).toEqual([
      'token_expired',
      expect.stringContaining('invalid_token'),
    ]);
  });
  await younger.get('/v1/company').expect(200);
  await app.outsider.get('/v1/company').expect(200);
  await younger.put('/v1/company', { policy: { session_max_age: null } }).expect(200);
  await eventually(async () => void (await client.get('/v1/company').expect(200)));
});
