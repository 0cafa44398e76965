import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { validateRequest } from '../../../../src/api/http/steps/validate-request.ts';
import { asIs, inLanguage } from '../../../../src/contract/languages/text.ts';
import { type FieldErrors, Problem } from '../../../../src/contract/problem.ts';
import { aCompany, stepServer } from '../../../helpers/steps.ts';

const step = (exchange: RequestContext) => {
  const refusal = validateRequest(exchange);
  if (refusal) throw refusal;
};
const server = (body: RequestContext['body'] = { value: undefined, identity: undefined }) =>
  stepServer(step, { body }, ({ query, body }) => ({ query, body: body.value }));
const value = (sent: unknown) => server({ value: sent, identity: sent });
const get = (path: string) => server().get(path).set('X-Company-Id', aCompany);
const post = (path: string, sent: unknown) => value(sent).post(path).set('X-Company-Id', aCompany);

test('parses query parameters by the contract, with defaults', async () => {
  const { body } = await get('/v1/collaborators?page=2&include_deleted=true').expect(200);
  expect(body.query).toEqual({ page: 2, include_deleted: true });
  expect((await get('/v1/collaborators/x/history').expect(200)).body.query).toEqual({ limit: 20 });
});

test('names every invalid or unknown parameter', async () => {
  const { body } = await get('/v1/collaborators?page=x&nonsense=1&page=2').expect(400);
  expect(body.error).toBe('invalid_parameter');
  expect(Object.keys(body.details).sort()).toEqual(['nonsense', 'page']);
});

test.each([
  [5, "The parameters a0, a1, a2, a3, a4 can't be used like this."],
  [6, "The parameters a0, a1, a2, a3, a4 and others can't be used like this."],
])('of %i invalid parameters, the message names up to five', async (count, message) => {
  const invalid = Array.from({ length: count }, (_, i) => `a${i}=1`).join('&');
  const { body } = await get(`/v1/collaborators?${invalid}`).expect(400);
  expect([body.message, Object.keys(body.details).length]).toEqual([message, count]);
});

test('reads object parameters, with and without an operator', async () => {
  const { body } = await get('/v1/collaborators?custom_fields[size]=M&custom_fields[grade][gte]=3').expect(200);
  expect(body.query).toMatchObject({ custom_fields: { size: 'M', grade: { gte: '3' } } });
});

test('an impossible path parameter returns 404 whatever else is wrong', async () => {
  expect((await get(`/v1/webhooks/${'x'.repeat(65)}?nonsense=1`).expect(404)).body.error).toBe('not_found');
});

test('doesn’t check an excessive number of parameters one by one', async () => {
  const many = Array.from({ length: 101 }, (_, i) => `a${i}=1`).join('&');
  expect((await get(`/v1/collaborators?${many}`).expect(400)).body).not.toHaveProperty('details');
});

test('checks parameters before the body', async () => {
  expect((await post('/v1/collaborators?nonsense=1', {}).expect(400)).body.error).toBe('invalid_parameter');
  const { body } = await post('/v1/collaborators', { name: 'A' }).expect(400);
  expect(body.error).toBe('validation_error');
  expect(Object.keys(body.details).sort()).toEqual(['department', 'email', 'name', 'position']);
});

test('rejects a missing required body, and accepts a missing optional one', async () => {
  const { body } = await post('/v1/collaborators', undefined).expect(400);
  expect(body.details).toEqual({ body: [{ code: 'required', message: 'This field is required.' }] });
  await post('/v1/collaborators/x/activate', undefined).expect(200);
});

test('for a form, reports part errors found earlier, else why the file is rejected', async () => {
  const errors: FieldErrors = { file: [{ code: 'invalid_format', message: asIs('Must be a sheet.') }] };
  const refusal = new Problem(422, 'file_infected', asIs('The virus scan refused this file.'));
  const form = (known: FieldErrors, mode: string) => ({
    value: { file: {}, mode },
    identity: {},
    files: { isForm: true, errors: known, refusal, replacements: {}, discard: async () => {} },
  });
  const send = (body: RequestContext['body']) =>
    server(body).post('/v1/collaborators/import').set('X-Company-Id', aCompany);
  const both = await send(form(errors, 'all')).expect(400);
  expect([both.body.details.file, Object.keys(both.body.details).sort()]).toEqual([
    inLanguage(errors.file, 'en'),
    ['file', 'mode'],
  ]);
  expect((await send(form({}, 'create')).expect(422)).body.message).toBe('The virus scan refused this file.');
});
