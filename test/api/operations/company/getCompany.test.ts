import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('a new company has no policy', async () => {
  const { body, headers } = await app.admin.get('/v1/company').expect(200);
  expect(body).toEqual({
    id: app.company_id,
    name: 'Verde Logística',
    time_zone: 'UTC',
    locale: null,
    policy: {
      require_second_factor: false,
      step_up: false,
      session_max_age: null,
      allowed_scopes: null,
      assistants: 'read',
      directory_visibility: 'none',
    },
    created_at: expect.any(String),
    updated_at: body.created_at,
  });
  expect(headers.etag).toMatch(/^"[\w-]{20,}"$/);
});

test('every member sees the same, including the policy', async () => {
  const { body } = await app.admin.get('/v1/company').expect(200);
  expect((await app.manager.get('/v1/company').expect(200)).body).toEqual(body);
  expect((await app.employee.get('/v1/company').expect(200)).body).toEqual(body);
});

test('another company gets its own data', async () => {
  const { body } = await app.outsider.get('/v1/company').expect(200);
  expect(body).toMatchObject({ id: app.outsider.company_id, name: 'Nordwind Spedition' });
});

test('returns 304 until the company changes', async () => {
  const { etag } = (await app.employee.get('/v1/company').expect(200)).headers;
  await app.employee.get('/v1/company').set('If-None-Match', etag!).expect(304);
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  await app.employee.get('/v1/company').set('If-None-Match', etag!).expect(200);
});
