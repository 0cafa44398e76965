import { authenticate } from '../../../../src/api/http/steps/authenticate.ts';
import { asIs } from '../../../../src/contract/languages/text.ts';
import { serviceUnavailable, unauthorized } from '../../../../src/contract/problem.ts';
import type { VerifiedToken } from '../../../../src/identity/tokens/verify-token.ts';
import { stepServer } from '../../../helpers/steps.ts';

const caller = { user_id: 'ada', client_id: 'web' } as VerifiedToken;
const policy = { policy_header: { 'RateLimit-Policy': '"default";q=300;w=60' } };
const server = stepServer(
  authenticate(
    async (token) => {
      if (token === 'outage') throw serviceUnavailable(new Error('the database is away'));
      if (token !== 'good') throw unauthorized('invalid_token', asIs('This token is not ours.'));
      return caller;
    },
    'https://api.example',
    policy,
  ),
  {},
  ({ caller, requestLog: { user_id: userId, client_id: clientId } }) => ({
    caller,
    user_id: userId,
    client_id: clientId,
  }),
);
const send = (authorization: string) => server.get('/v1/collaborators').set('Authorization', authorization);

test('a valid token identifies the caller, also in the log', async () => {
  for (const scheme of ['Bearer good', 'bearer good', 'Bearer  good ']) {
    expect((await send(scheme).expect(200)).body).toEqual({ caller, user_id: 'ada', client_id: 'web' });
  }
});

test('returns unauthorized without a token, and doesn’t verify a malformed header', async () => {
  expect((await server.get('/v1/collaborators').expect(401)).body.error).toBe('unauthorized');
  for (const authorization of ['Basic good', 'Bearer', 'Bearer good good', 'Bearer gööd']) {
    const { body } = await send(authorization).expect(401);
    expect([body.error, body.message]).toEqual([
      'invalid_token',
      'The Authorization header does not contain a bearer token.',
    ]);
  }
});

test('a rejected caller sees the rate limit policy, if there is one', async () => {
  const { headers } = await server.get('/v1/collaborators').expect(401);
  expect(headers['ratelimit-policy']).toBe('"default";q=300;w=60');
  expect(headers.ratelimit).toBeUndefined();
  expect((await server.get('/auth/user').expect(401)).headers['ratelimit-policy']).toBeUndefined();
});

test('passes on the error of token verification, including an outage', async () => {
  expect((await send('Bearer other').expect(401)).body.error).toBe('invalid_token');
  expect((await send('Bearer outage').expect(503)).body.error).toBe('service_unavailable');
});
