import { acceptJson } from '../../../../src/api/http/steps/accept-json.ts';
import { stepServer } from '../../../helpers/steps.ts';

const server = stepServer(acceptJson);

test.each([
  undefined,
  '*/*',
  'application/json',
  'text/html, application/*;q=0.1',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8, application/*+json',
  'application/json; version=1',
  'application/json;odata=nometadata;q=0.5',
  'text/html, application/json; profile="a, b;q=0"',
  'application/*; charset=utf-8',
])('accepts %s', async (accept) => {
  const request = server.get('/v1/collaborators');
  await (accept === undefined ? request : request.set('Accept', accept)).expect(200);
});

test.each([
  'text/html',
  'application/xml',
  'application/json;q=0',
  'application/json; charset=utf-8; q=0',
  'application/json; q=0; charset=utf-8',
  'text/html; x="application/json"',
  'text/html; x=", application/json"',
])('rejects %s', async (accept) => {
  const { body } = await server.get('/v1/collaborators').set('Accept', accept).expect(406);
  expect(body.error).toBe('not_acceptable');
});
