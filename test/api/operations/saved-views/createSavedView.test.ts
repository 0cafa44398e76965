import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addApp, knownAppSecret } from '../../../helpers/resources/apps.ts';
import { installApp } from '../../../helpers/resources/installations.ts';

const path = '/v1/saved-views';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from saved_views'));

const drivers = {
  name: 'Drivers',
  filters: {
    search: 'driver',
    status: 'active',
    role: 'employee',
    department: 'Fleet',
    location: 'Porto',
    custom_fields: [
      { key: 'shirt', value: 'm' },
      { key: 'badge_until', gte: '2026-01-01', lte: '2026-12-31' },
    ],
  },
  sort: '-hire_date,name',
  columns: ['hire_date', 'custom_fields.shirt', 'position', 'reports_count'],
};

describe('succeeds', () => {
  test('stores a view as sent', async () => {
    const { body, headers } = await app.employee.post(path, drivers).expect(201);
    const set = { id: body.id, list: 'collaborators', created_at: expect.any(String), updated_at: body.created_at };
    expect(body).toEqual({ ...drivers, ...set });
    expect(headers.location).toBe(`${path}/${body.id}`);
    expect((await app.employee.get(path).expect(200)).body.data).toEqual([body]);
  });

  test('normalizes text like filters, and stores an empty sort as the default', async () => {
    const sent = { name: '  Every  one ', filters: { search: ' a   b ', department: ' Fleet\u200b' } };
    const { body } = await app.admin.post(path, sent).expect(201);
    expect(body).toMatchObject({
      name: 'Every  one',
      filters: { search: 'a b', department: 'Fleet' },
      sort: null,
      columns: null,
    });
    await app.admin.get(`/v1/collaborators?search=${encodeURIComponent(body.filters.search)}`).expect(200);
  });

  test('stores a filter of the audit log', async () => {
    const sent = {
      list: 'audit',
      name: 'Salaries',
      filters: {
        action: 'updateCollaborator',
        actor_id: 'a',
        actor_collaborator_id: 'b',
        target_id: 'c',
        changed_field: 'salary',
        outcome: 'succeeded',
        exclude: 'reads,sign_ins',
        since: '2026-01-01T00:00:00.000Z',
        until: '2026-12-31T00:00:00.000Z',
      },
    };
    const { body } = await app.admin.post(path, sent).expect(201);
    expect(body).toMatchObject({ ...sent, sort: null, columns: null });
    await app.admin.get(`/v1/audit?${new URLSearchParams(body.filters)}`).expect(200);
  });

  test('creates one view for repeated requests with the same key', async () => {
    const once = () => app.admin.post(path, drivers).set('Idempotency-Key', 'a-view').expect(201);
    expect((await once()).body).toEqual((await once()).body);
    expect((await app.admin.get(path).expect(200)).body.data).toHaveLength(1);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['name', { filters: {} }],
    ['name', { name: '  ', filters: {} }],
    ['name', { name: 'x'.repeat(101), filters: {} }],
    ['name', { name: 'a\nb', filters: {} }],
    ['filters', { name: 'x' }],
    ['filters.salary', { name: 'x', filters: { salary: 1 } }],
    ['filters.status', { name: 'x', filters: { status: 'gone' } }],
    ['filters.role', { name: 'x', filters: { role: 'owner' } }],
    ['filters.search', { name: 'x', filters: { search: ' ' } }],
    ['filters.department', { name: 'x', filters: { department: 'x'.repeat(201) } }],
    ['filters.custom_fields.0.key', { name: 'x', filters: { custom_fields: [{ key: 'No Key', value: 'a' }] } }],
    ['filters.custom_fields.0.value', { name: 'x', filters: { custom_fields: [{ key: 'a', value: { or: '1=1' } }] } }],
    ['filters.custom_fields', { name: 'x', filters: { custom_fields: Array(11).fill({ key: 'a', value: 'b' }) } }],
    ['sort', { name: 'x', filters: {}, sort: 'salary' }],
    ['columns.1', { name: 'x', filters: {}, columns: ['position', 'password_hash'] }],
    ['columns.0', { name: 'x', filters: {}, columns: ['custom_fields.No Key'] }],
    ['columns', { name: 'x', filters: {}, columns: ['position', 'position'] }],
    ['columns', { name: 'x', filters: {}, columns: 'position' }],
    ['columns', { name: 'x', filters: {}, columns: Array.from({ length: 61 }, (_, n) => `custom_fields.f${n}`) }],
    ['list', { name: 'x', filters: {}, list: 'events' }],
    ['filters.action', { name: 'x', filters: { action: 'sign_in' } }],
    ['filters.department', { list: 'audit', name: 'x', filters: { department: 'Fleet' } }],
    ['filters.exclude', { list: 'audit', name: 'x', filters: { exclude: 'writes' } }],
    ['filters.outcome', { list: 'audit', name: 'x', filters: { outcome: 'failed' } }],
    ['filters.since', { list: 'audit', name: 'x', filters: { since: 'yesterday' } }],
    ['sort', { list: 'audit', name: 'x', filters: {}, sort: 'name' }],
    ['columns', { list: 'audit', name: 'x', filters: {}, columns: ['position'] }],
    ['collaborator_id', { name: 'x', filters: {}, collaborator_id: '0199a3bb-40c9-7d17-b3f2-8e5c61a0d924' }],
  ])('%s: %j', async (field, body) => {
    const response = await app.admin.post(path, body).expect(400);
    expect([response.body.error, Object.keys(response.body.details)]).toEqual(['validation_error', [field]]);
  });

  test('rejects __proto__ in the filters', async () => {
    const text = '{"name":"x","filters":{"__proto__":{"status":"active"}}}';
    const response = await app.admin.post(path).set('Content-Type', 'application/json').send(text);
    expect(response.status).toBe(400);
    expect(({} as { status?: string }).status).toBeUndefined();
  });
});

describe('conflicts', () => {
  test('allows fifty per person, also for concurrent requests', async () => {
    const first = (await app.admin.post(path, { name: 'View', filters: {} }).expect(201)).body.id;
    await app.database.query(
      `insert into saved_views select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'name', n))).*
       from saved_views v, generate_series(1, 46) n where v.id = $1`,
      [first],
    );
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => app.admin.post(path, { name: `View ${n}`, filters: {} })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect((await app.admin.get(path).expect(200)).body.data).toHaveLength(50);
    await app.manager.post(path, drivers).expect(201);
  });
});

describe('forbidden', () => {
  test('returns 403 to an installed app', async () => {
    const client = { id: await addApp(app, { name: 'Planner' }), secret: knownAppSecret };
    const { access_token: token } = await installApp(app, { client, scopes: ['collaborators:read'] });
    const as = { Authorization: `Bearer ${token}`, 'X-Company-Id': app.company_id };
    const { body } = await app.anon.post(path).set(as).send(drivers).expect(403);
    expect(body.details).toEqual({ reason: 'not_for_installations' });
    await app.anon.get(path).set(as).expect(403);
  });
});

test('emits no event', async () => {
  const count = async () => (await app.database.query('select id from events')).length;
  const before = await count();
  await app.admin.post(path, drivers).expect(201);
  expect(await count()).toBe(before);
});
