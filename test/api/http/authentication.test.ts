/** Requests without a valid token, company, or path. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { signingKeys } from '../../../src/identity/tokens/signing-keys.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { signJwt } from '../../helpers/identity/tokens.ts';

const path = '/v1/collaborators';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const send = (authorization?: string) => {
  const request = app.anon.get(path).set('X-Company-Id', app.company_id);
  return authorization === undefined ? request : request.set('Authorization', authorization);
};

describe('401', () => {
  test('without a token, returns unauthorized with a challenge that names no error', async () => {
    const { body, headers } = await send().expect(401);
    expect(body.error).toBe('unauthorized');
    expect(headers['www-authenticate']).toBe('Bearer realm="collaborator-api"');
  });

  test.each([
    ['another scheme', 'Basic YTpi'],
    ['no token behind the scheme', 'Bearer '],
    ['nonsense', 'Bearer nonsense'],
    ['three parts of nonsense', 'Bearer a.b.c'],
    ['two tokens', 'Bearer a b'],
  ])('rejects a header with %s', async (_, authorization) => {
    const { body, headers } = await send(authorization).expect(401);
    expect(body.error).toBe('invalid_token');
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('rejects an expired token', async () => {
    const client = await app.as('admin', { claims: { exp: Math.floor(Date.now() / 1000) - 1 } });
    const { body, headers } = await client.get(path).expect(401);
    expect(body.error).toBe('token_expired');
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['another audience', { aud: 'https://elsewhere.example' }],
    ['a grant that does not exist', { grant_id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30' }],
    ['another user than the grant’s', { sub: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30' }],
    ['no expiry', { exp: undefined }],
  ])('rejects a token with %s', async (_, claims) => {
    const client = await app.as('admin', { claims });
    const { body } = await client.get(path).expect(401);
    expect(body.error).toBe('invalid_token');
  });

  test('rejects forged tokens: no algorithm, HS256 with the public key, another key, a modified payload', async () => {
    const { db } = app.database;
    const [key] = await signingKeys(db, app.config.encryption_keys);
    const [head, payload, signature] = app.admin.token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const none = `${encode({ alg: 'none', typ: 'at+jwt', kid: key!.kid })}.${payload}.`;
    const { d, ...publicKey } = key!;
    const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key!.kid })}.${payload}`;
    const hmac = `${input}.${createHmac('sha256', JSON.stringify(publicKey)).update(input).digest('base64url')}`;
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const forged = signJwt({ alg: 'ES256', typ: 'at+jwt', kid: key!.kid }, claims, stranger);
    const changed = `${head}.${encode({ ...claims, sub: app.outsider.user_id })}.${signature}`;
    const plain = signJwt({ alg: 'ES256', typ: 'JWT', kid: key!.kid }, claims, key!);
    for (const token of [none, hmac, forged, changed, plain]) {
      const { body } = await send(`Bearer ${token}`).expect(401);
      expect(body.error).toBe('invalid_token');
    }
    await send(`Bearer ${app.admin.token}`).expect(200);
  });

  test('takes precedence over an unknown path, an invalid company, and an invalid body', async () => {
    await app.anon.get('/v1/no/such/thing').expect(401);
    await app.anon.get('/auth/nothing').expect(401);
    await app.anon.post(path).set('X-Company-Id', 'x').send('{').expect(401);
  });
});

describe('company header', () => {
  test('returns 400 if missing or not a UUID, and an identical 403 if unknown or foreign', async () => {
    const { token } = app.admin;
    const sendRequest = (company?: string) => {
      const request = app.anon.get(path).set('Authorization', `Bearer ${token}`);
      return company === undefined ? request : request.set('X-Company-Id', company);
    };
    expect((await sendRequest().expect(400)).body.error).toBe('company_id_required');
    expect((await sendRequest('').expect(400)).body.error).toBe('company_id_required');
    expect((await sendRequest('verde').expect(400)).body.error).toBe('company_id_invalid');
    const foreign = await sendRequest(app.outsider.company_id).expect(403);
    const unknown = await sendRequest('7c9e6679-7425-40de-944b-e07fc1f90ae7').expect(403);
    expect(foreign.body.error).toBe('company_access_denied');
    expect(unknown.text).toBe(foreign.text);
    await sendRequest(app.company_id.toUpperCase()).expect(200);
  });

  test('rejects a company of the user that the grant doesn’t include', async () => {
    const client = await app.as('admin', { company_ids: [] });
    expect((await client.get(path).expect(403)).body.error).toBe('company_access_denied');
  });
});

describe('paths', () => {
  test('returns 404 for unknown paths below /v1 and elsewhere, in the same format', async () => {
    expect((await app.admin.get('/v1/no/such/thing').expect(404)).body.error).toBe('not_found');
    expect((await app.anon.get('/nowhere').expect(404)).body).toEqual({
      error: 'not_found',
      message: expect.any(String),
    });
    await app.admin.get('/v1').expect(404);
    await app.admin.get('/v1/collaborators/%zz').expect(404);
    expect((await app.anon.get('/oauth/authorize/%zz').expect(404)).body.error).toBe('not_found');
    await app.admin.get(`${path}/`).expect(404);
  });

  test.each(['interaction', 'invitation', 'reset'])('returns 400 for a malformed link to the page %s', async (page) => {
    await app.anon.get(`/oauth/${page}/%zz`).expect(400);
  });

  test('returns 405 with Allow for other methods', async () => {
    const { body, headers } = await app.admin.delete(path).expect(405);
    expect(body.error).toBe('method_not_allowed');
    expect(headers.allow).toBe('GET, HEAD, POST');
  });
});

describe('every response', () => {
  test('has a request id: a valid incoming one, or a new one', async () => {
    const own = await app.admin.get(path).set('X-Request-Id', 'trace-42').expect(200);
    expect(own.headers['x-request-id']).toBe('trace-42');
    for (const bad of ['x'.repeat(200), 'a b', '<script>']) {
      const { headers } = await app.admin.get(path).set('X-Request-Id', bad);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await app.anon.get('/nowhere')).headers['x-request-id']).toBeDefined();
  });

  test('disallows shared caching, sniffing, and framing', async () => {
    const { headers } = await app.admin.get(path).expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-api-version': '1.0.0',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('HTTPS', () => {
  test('plain HTTP is rejected if HTTPS is required, unless a trusted proxy reports HTTPS', async () => {
    const strict = await testApp({ REQUIRE_HTTPS: 'true', TRUST_PROXY: 'loopback' });
    try {
      const { body } = await strict.admin.get(path).expect(403);
      expect(body.error).toBe('https_required');
      const secure = await strict.admin.get(path).set('X-Forwarded-Proto', 'https').expect(200);
      expect(secure.headers['strict-transport-security']).toContain('max-age=');
      await strict.anon.get('/healthz').expect(200);
    } finally {
      await strict.close();
    }
    const untrusted = await testApp({ REQUIRE_HTTPS: 'true' });
    try {
      await untrusted.admin.get(path).set('X-Forwarded-Proto', 'https').expect(403);
    } finally {
      await untrusted.close();
    }
  });
});

describe('revocation', () => {
  test('a revoked grant is rejected long before the cache expires, but other grants of the user aren’t', async () => {
    const client = await app.as('admin', {});
    await client.get(path).expect(200);
    await app.database.query(
      `with ended as (update oauth_grants set revoked_at = now() where id = $1 returning id)
       select pg_notify('access_changed', json_build_object('grant_id', id)::text) from ended`,
      [JSON.parse(Buffer.from(client.token.split('.')[1]!, 'base64url').toString()).grant_id],
    );
    await eventually(() => client.get(path).expect(401));
    await app.admin.get(path).expect(200);
  });
});
