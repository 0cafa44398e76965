import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const sendRequest = (path: string, company?: string) => {
  const request = app.anon.get(path).set('Authorization', `Bearer ${app.admin.token}`);
  return company === undefined ? request : request.set('X-Company-Id', company);
};

test('paths below /v1 require a company, others don’t', async () => {
  await sendRequest('/v1/collaborators', app.company_id).expect(200);
  await sendRequest('/auth/user').expect(200);
  expect((await sendRequest('/v1/collaborators').expect(400)).body.error).toBe('company_id_required');
});

test('accepts a UUID in any case', async () => {
  expect((await sendRequest('/v1/collaborators', 'verde').expect(400)).body.error).toBe('company_id_invalid');
  await sendRequest('/v1/collaborators', app.company_id.toUpperCase()).expect(200);
});

test('a rejected request counts toward the caller’s limit, not the company’s', async () => {
  const limited = await testApp({ RATE_LIMIT_REQUESTS_PER_MIN: '6' });
  const refused = async (company: string | undefined, token = limited.admin.token) => {
    const request = limited.anon.get('/v1/collaborators').set('Authorization', `Bearer ${token}`);
    return company === undefined ? request : request.set('X-Company-Id', company);
  };
  try {
    const responses = [
      await refused(undefined),
      await refused('verde'),
      await refused(limited.outsider.company_id),
      await refused('7c9e6679-7425-40de-944b-e07fc1f90ae7'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 403, 403]);
    expect(responses.map(({ headers }) => headers.ratelimit!.split(';')[1])).toEqual(['r=5', 'r=4', 'r=3', 'r=2']);
    for (const { headers } of responses) expect(headers['ratelimit-policy']).toBe('"default";q=6;w=60');
    const foreignResponse = await limited.outsider.get('/v1/collaborators').expect(200);
    expect(foreignResponse.headers.ratelimit).toMatch(/r=5;/);
    expect((await refused(undefined, limited.outsider.token)).headers.ratelimit).toMatch(/r=5;/);
    const later = await Promise.all([1, 2, 3].map(() => refused(undefined)));
    expect(later.map(({ status }) => status).sort()).toEqual([400, 400, 429]);
    expect(later.find(({ status }) => status === 429)!.headers['retry-after']).toMatch(/^\d+$/);
  } finally {
    await limited.close();
  }
});

test('another company looks like an unknown one, before the path is checked', async () => {
  const foreign = await sendRequest('/v1/no/such/path', app.outsider.company_id).expect(403);
  const unknown = await sendRequest('/v1/collaborators', '7c9e6679-7425-40de-944b-e07fc1f90ae7').expect(403);
  expect(unknown.text).toBe(foreign.text);
  expect(foreign.body.error).toBe('company_access_denied');
});
