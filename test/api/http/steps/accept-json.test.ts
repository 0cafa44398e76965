import { acceptJson } from '../../../../src/api/http/steps/accept-json.ts';
import { stepServer } from '../../../helpers/steps.ts';

const server = stepServer(acceptJson);

test.each([undefined, '*/*', 'application/json', 'text/html, application/*;q=0.1'])('lets %s pass', async (accept) => {
  const request = server.get('/v1/collaborators');
  await (accept === undefined ? request : request.set('Accept', accept)).expect(200);
});

test.each(['text/html', 'application/xml', 'application/json;q=0'])('refuses %s', async (accept) => {
  const { body } = await server.get('/v1/collaborators').set('Accept', accept).expect(406);
  expect(body.error).toBe('not_acceptable');
});
