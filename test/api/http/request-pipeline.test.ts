/** The order of checks: a request with every error gets one after another. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ RATE_LIMIT_REQUESTS_PER_MIN: '30', MAX_BODY_BYTES: '1000' });
});
afterAll(() => app.close());

test('checks caller, company, path, and permissions before the body', async () => {
  const limited = await app.as('employee', { scopes: ['collaborators:read'] });
  const employee = await app.as('employee', { scopes: ['collaborators:read', 'collaborators:write'] });
  const ofAdmin = `/v1/collaborators/${app.admin.collaborator_id}`;
  const own = `/v1/collaborators/${app.employee.collaborator_id}`;
  let request = { token: '', company: 'x', method: 'put' as 'put' | 'patch', path: '/v1/nothing', accept: 'text/html' };
  let body = { type: 'text/plain', text: 'x'.repeat(2_000) };
  const statusAndError = async (change: Partial<typeof request & typeof body> = {}) => {
    request = { ...request, ...change };
    body = { ...body, ...change };
    const { token, company, method, path, accept } = request;
    const sent = app.anon[method](path).set({ 'X-Company-Id': company, Accept: accept, 'Content-Type': body.type });
    if (token) sent.set('Authorization', `Bearer ${token}`);
    const { status, body: problem } = await sent.send(body.text);
    return [status, problem.error];
  };

  expect(await statusAndError()).toEqual([401, 'unauthorized']);
  expect(await statusAndError({ token: limited.token })).toEqual([400, 'company_id_invalid']);
  expect(await statusAndError({ company: app.outsider.company_id })).toEqual([403, 'company_access_denied']);
  expect(await statusAndError({ company: app.company_id })).toEqual([404, 'not_found']);
  expect(await statusAndError({ path: '/v1/collaborators' })).toEqual([405, 'method_not_allowed']);
  expect(await statusAndError({ path: ofAdmin })).toEqual([404, 'not_found']);
  expect(await statusAndError({ path: own })).toEqual([403, 'insufficient_scope']);
  expect(await statusAndError({ token: employee.token, path: `${own}?nonsense=1` })).toEqual([406, 'not_acceptable']);
  expect(await statusAndError({ accept: '*/*' })).toEqual([415, 'unsupported_media_type']);
  expect(await statusAndError({ type: 'application/json' })).toEqual([413, 'payload_too_large']);
  expect(await statusAndError({ text: '{' })).toEqual([400, 'malformed_json']);
  expect(await statusAndError({ text: '{"department":5}' })).toEqual([403, 'field_forbidden']);
  expect(await statusAndError({ text: '{"phone":5}' })).toEqual([400, 'invalid_parameter']);
  expect(await statusAndError({ path: own })).toEqual([400, 'validation_error']);
  expect(await statusAndError({ text: '{"phone":"+351 912 345 678"}' })).toEqual([200, undefined]);
});

test('enforces rate limits before checking the path', async () => {
  const { admin } = app;
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push((await admin.get('/v1/nothing')).status);
  expect(statuses).toEqual([...Array(30).fill(404), ...Array(10).fill(429)]);
  await app.outsider.get('/v1/nothing').expect(404);
});
