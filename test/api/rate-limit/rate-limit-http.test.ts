/** Rate limits as clients see them. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp({ RATE_LIMIT_REQUESTS_PER_MIN: '6', RATE_LIMIT_WRITES_PER_MIN: '2' });
});
afterEach(() => app.close());

const path = '/v1/collaborators';

test('every response for a company shows the remaining quota, including errors', async () => {
  const first = await app.admin.get(path).expect(200);
  expect(first.headers['ratelimit-policy']).toBe('"default";q=6;w=60');
  expect(first.headers.ratelimit).toMatch(/^"default";r=5;t=\d+$/);
  expect((await app.admin.get(`${path}/nobody`).expect(404)).headers.ratelimit).toMatch(/^"default";r=4;t=\d+$/);
  expect((await app.admin.delete(path).expect(405)).headers.ratelimit).toMatch(/^"writes";r=1;/);
  expect((await app.admin.get('/v1/nothing').expect(404)).headers.ratelimit).toMatch(/^"default";r=2;/);
  expect((await app.admin.get(`${path}?x=1`).expect(400)).headers.ratelimit).toMatch(/^"default";r=1;/);
});

test('returns 429 with Retry-After, without affecting other companies, clients, or users', async () => {
  for (let i = 0; i < 6; i++) await app.admin.get(path).expect(200);
  const { body, headers } = await app.admin.get(path).expect(429);
  expect(body.error).toBe('rate_limited');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
  await app.outsider.get(path).expect(200);
  expect((await app.employee.get(path).expect(200)).headers.ratelimit).toMatch(/^"default";r=5;t=\d+$/);
  await app.database.query("insert into oauth_clients (id, name, redirect_uris) values ('other', 'Other', '{}')");
  await (await app.as('admin', { client_id: 'other' })).get(path).expect(200);
});

test('all users of a client share a multiple of the limit, and the response names the client', async () => {
  await app.close();
  app = await testApp({ RATE_LIMIT_REQUESTS_PER_MIN: '4', RATE_LIMIT_CLIENT_FACTOR: '2' });
  for (const client of [app.admin, app.manager]) for (let i = 0; i < 4; i++) await client.get(path).expect(200);
  const { headers } = await app.employee.get(path).expect(429);
  expect(headers['ratelimit-policy']).toBe('"client";q=8;w=60');
  await app.outsider.get(path).expect(200);
});

test('writes have a separate limit, and reads continue', async () => {
  const person = { name: 'Wil Write', position: 'x', department: 'y' };
  for (let i = 0; i < 2; i++) await app.admin.post(path, { ...person, email: `w${i}@example.com` }).expect(201);
  const { headers } = await app.admin.post(path, { ...person, email: 'w3@example.com' }).expect(429);
  expect(headers['ratelimit-policy']).toContain('"writes";q=2;w=60');
  await app.admin.get(path).expect(200);
});

test('comes before 404 and permissions, but after the company check', async () => {
  for (let i = 0; i < 6; i++) await app.employee.get(path).expect(200);
  await app.employee.get(`${path}/nobody`).expect(429);
  await app.employee.post(path, {}).expect(429);
  await app.employee.get('/v1/nothing').expect(429);
  await app.employee.get(path).set('X-Company-Id', app.outsider.company_id).expect(403);
});

test('without its database, allows requests and keeps counting', async () => {
  await app.database.query('drop table rate_limit_windows');
  for (let i = 0; i < 6; i++) await app.admin.get(path).expect(200);
  await app.admin.get(path).expect(429);
});
