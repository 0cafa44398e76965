import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addApp, knownAppSecret } from '../../../helpers/resources/apps.ts';
import { installApp } from '../../../helpers/resources/installations.ts';

const path = '/v1/snoozes';
const item = { kind: 'webhook_failing', item_id: '0199b1f0-6c2d-7e4a-b85f-3d90a7c1e264' };
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from snoozes'));

const current = async () => (await app.admin.get(path).expect(200)).body.data;

describe('succeeds', () => {
  test('snoozes for some days, replaces an earlier snooze, and ends it', async () => {
    const { body } = await app.admin.post(path, { ...item, days: 7 }).expect(200);
    expect(body).toEqual({ ...item, until: expect.any(String), snoozed_by: app.admin.user_id });
    const days = (Date.parse(body.until) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    const { body: sooner } = await app.admin.post(path, { ...item, days: 1 }).expect(200);
    expect(Date.parse(sooner.until)).toBeLessThan(Date.parse(body.until));
    expect(await current()).toEqual([sooner]);
    const unsnoozed = await app.admin.post(path, { ...item, days: null }).expect(200);
    expect(unsnoozed.body).toEqual({ ...item, until: null, snoozed_by: null });
    expect(await current()).toEqual([]);
    await app.admin.post(path, { ...item, days: null }).expect(200); // no snooze to end
  });

  test('keeps snoozes of the same item under different kinds apart', async () => {
    await app.admin.post(path, { ...item, days: 7 }).expect(200);
    await app.admin.post(path, { ...item, kind: 'webhook_disabled', days: 1 }).expect(200);
    expect((await current()).map(({ kind }: { kind: string }) => kind)).toEqual([
      'webhook_disabled',
      'webhook_failing',
    ]);
  });

  test('records the admin, the item, and the duration in the audit log', async () => {
    await app.admin.post(path, { ...item, days: 7 }).expect(200);
    const { body } = await app.admin.get('/v1/audit?action=setSnooze&limit=1').expect(200);
    expect(body.data[0]).toMatchObject({ actor: { user_id: app.admin.user_id }, details: { ...item, days: 7 } });
  });
});

test.each([
  ['kind', { ...item, kind: 'salary', days: 1 }],
  ['item_id', { ...item, item_id: "'; drop table snoozes", days: 1 }],
  ['item_id', { ...item, item_id: 'x'.repeat(65), days: 1 }],
  ['days', { ...item, days: 0 }],
  ['days', { ...item, days: 31 }],
  ['days', { ...item, days: 1.5 }],
  ['days', item],
  ['until', { ...item, days: 1, until: '2999-01-01T00:00:00Z' }],
])('refuses %s: %j', async (field, body) => {
  const response = await app.admin.post(path, body).expect(400);
  expect(Object.keys(response.body.details)).toEqual([field]);
});

test('allows 500 per company, not counting ended ones', async () => {
  await app.database.query(
    `insert into snoozes (company_id, kind, item_id, until, snoozed_by)
     select $1, 'import_failed', n::text, now() + interval '1 day', $2 from generate_series(1, 500) n`,
    [app.company_id, app.admin.user_id],
  );
  expect((await app.admin.post(path, { ...item, days: 1 }).expect(409)).body.error).toBe('conflict');
  await app.admin.post(path, { kind: 'import_failed', item_id: '7', days: 30 }).expect(200);
  await app.database.query(`update snoozes set until = now() where item_id = '8'`);
  await app.admin.post(path, { ...item, days: 1 }).expect(200);
  expect(await current()).toHaveLength(500);
});

test('returns 403 to other roles and installed apps', async () => {
  for (const client of [app.manager, app.employee]) await client.post(path, { ...item, days: 1 }).expect(403);
  const client = { id: await addApp(app, { name: 'Planner' }), secret: knownAppSecret };
  const installing = installApp(app, { client, scopes: ['company:manage'], role: 'admin' });
  const { access_token: token } = await installing;
  const as = { Authorization: `Bearer ${token}`, 'X-Company-Id': app.company_id };
  const { body } = await app.anon
    .post(path)
    .set(as)
    .send({ ...item, days: 30 })
    .expect(403);
  expect(body.details).toEqual({ reason: 'not_for_installations' });
  expect(await current()).toEqual([]);
});

test('another company can neither see nor end it', async () => {
  const { body } = await app.admin.post(path, { ...item, days: 7 }).expect(200);
  expect((await app.outsider.get(path).expect(200)).body.data).toEqual([]);
  await app.outsider.post(path, { ...item, days: null }).expect(200);
  expect(await current()).toEqual([body]);
});
