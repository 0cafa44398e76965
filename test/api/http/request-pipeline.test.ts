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
  const answer = async (change: Partial<typeof request & typeof body> = {}) => {
    request = { ...request, ...change };
    body = { ...body, ...change };
    const { token, company, method, path, accept } = request;
    const sent = app.anon[method](path).set({ 'X-Company-Id': company, Accept: accept, 'Content-Type': body.type });
    if (token) sent.set('Authorization', `Bearer ${token}`);
    const { status, body: told } = await sent.send(body.text);
    return [status, told.error];
  };

  expect(await answer()).toEqual([401, 'unauthorized']);
  expect(await answer({ token: limited.token })).toEqual([400, 'company_id_invalid']);
  expect(await answer({ company: app.outsider.company_id })).toEqual([403, 'company_access_denied']);
  expect(await answer({ company: app.company_id })).toEqual([404, 'not_found']);
  expect(await answer({ path: '/v1/collaborators' })).toEqual([405, 'method_not_allowed']);
  expect(await answer({ path: ofAdmin })).toEqual([404, 'not_found']);
  expect(await answer({ path: own })).toEqual([403, 'insufficient_scope']);
  expect(await answer({ token: employee.token, path: `${own}?nonsense=1` })).toEqual([406, 'not_acceptable']);
  expect(await answer({ accept: '*/*' })).toEqual([415, 'unsupported_media_type']);
  expect(await answer({ type: 'application/json' })).toEqual([413, 'payload_too_large']);
  expect(await answer({ text: '{' })).toEqual([400, 'malformed_json']);
  expect(await answer({ text: '{"department":5}' })).toEqual([403, 'field_forbidden']);
  expect(await answer({ text: '{"phone":5}' })).toEqual([400, 'invalid_parameter']);
  expect(await answer({ path: own })).toEqual([400, 'validation_error']);
  expect(await answer({ text: '{"phone":"+351 912 345 678"}' })).toEqual([200, undefined]);
});

test('enforces rate limits before checking the path', async () => {
  const { admin } = app;
  const answers: number[] = [];
  for (let i = 0; i < 40; i++) answers.push((await admin.get('/v1/nothing')).status);
  expect(new Set(answers)).toEqual(new Set([404, 429]));
  await app.outsider.get('/v1/nothing').expect(404);
});
