import { type TestApp, testApp } from '../../../helpers/app.ts';
import { directoryClient } from '../../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from directories'));

const create = (body: unknown) => app.admin.post('/v1/directories', body);

test('creates a directory with a working token, which is shown once', async () => {
  const { body, headers } = await create({ name: '  Okta ' }).expect(201);
  const { token, ...visible } = body;
  expect(visible).toEqual({
    id: expect.any(String),
    name: 'Okta',
    scim_url: `${app.base_url}/scim/v2/${body.id}`,
    on_delete: 'deactivate',
    on_create: 'pending',
    match_by: 'email',
    on_local_change: 'refuse',
    default_department: 'Unassigned',
    default_position: 'Unassigned',
    role_mapping: [],
    field_mapping: [],
    people_count: 0,
    error_count: 0,
    last_sync_at: null,
    token_created_at: expect.stringMatching(/Z$/),
    previous_token_expires_at: null,
    created_by: app.admin.user_id,
    created_at: expect.stringMatching(/Z$/),
    updated_at: body.created_at,
  });
  expect(token).toMatch(/^cma_dt_[0-9A-Za-z]{49}$/);
  await directoryClient(app.base_url, body.id, token).get('/Users').expect(200);
  expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(visible);
});

test('rejects what the contract doesn’t define', async () => {
  for (const body of [{}, { name: '' }, { name: 'a', on_delete: 'keep' }, { name: 'a', role_mapping: [] }]) {
    await create(body).expect(400);
  }
});

test('returns 409 beyond three per company, also for concurrent requests', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, (_, at) => create({ name: `Directory ${at}` })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
});

test('emits directory.created', async () => {
  const { body } = await create({ name: 'Entra' }).expect(201);
  const events = await app.database.query(
    "select payload::json as payload from events where name = 'directory.created'",
  );
  const { id, name, created_at: createdAt } = body;
  expect(events.at(-1)).toEqual({ payload: { id, name, created_by: app.admin.user_id, created_at: createdAt } });
});
