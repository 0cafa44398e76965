/**
 * Access tokens bound to a key (DPoP, RFC 9449), with oauth4webapi as the client: sign-in, refresh, API calls, and attacks with
 * a stolen token or proof.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { authorizationUrl, createBrowser, newVerifier, walkPages } from '../../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../../helpers/resources/apps.ts';
import { installApp } from '../../helpers/resources/installations.ts';

const scopes = ['profile', 'offline_access', 'collaborators:read', 'collaborators:write'];
const redirectUri = 'http://127.0.0.1/callback';
const person = { email: 'mariana.duarte@example.com', password: 'correct horse battery staple' };
const insecure = { [oauth.allowInsecureRequests]: true };

let app: TestApp;
let server: oauth.AuthorizationServer;
beforeAll(async () => {
  app = await testApp();
  const issuer = new URL(app.base_url);
  const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  server = await oauth.processDiscoveryResponse(issuer, response);
});
afterAll(() => app.close());

/** Sends a request, and repeats it with the nonce that the server requests. */
async function withNonce<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return request();
  }
}

/** Signs Mariana in with a public client that has its own key. */
async function signedIn() {
  const client: oauth.Client = { client_id: await addApp(app, { name: 'Phone', secret_hash: null }) };
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  const verifier = newVerifier();
  const authorization = {
    base_url: app.base_url,
    redirect_uri: redirectUri,
    client_id: client.client_id,
    scopes,
    verifier,
  };
  const { location } = await walkPages(createBrowser(app.base_url), authorizationUrl(authorization), person);
  const parameters = oauth.validateAuthResponse(server, client, location, location.searchParams.get('state')!);
  const tokens = await withNonce(async () => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      { ...insecure, DPoP },
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
  return { client, DPoP, tokens };
}

const people = new URL('/v1/collaborators?limit=1', 'http://localhost');
const call = (token: string, DPoP: oauth.DPoPHandle, path = people.pathname + people.search) =>
  oauth.protectedResourceRequest(
    token,
    'GET',
    new URL(path, app.base_url),
    new Headers({ 'x-company-id': app.company_id }),
    null,
    { ...insecure, DPoP },
  );

/** Sends requests that oauth4webapi wouldn't. */
const send = (headers: Record<string, string>, method = 'GET', path = '/v1/collaborators?limit=1') =>
  fetch(app.base_url + path, { method, headers: { 'x-company-id': app.company_id, ...headers } });

type Key = { privateKey: KeyObject; publicKey: KeyObject };
const newKey = (): Key => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A handmade proof, valid unless changed. */
function proofOf(key: Key, token: string | undefined, changes: object = {}, header: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const ath = token === undefined ? {} : { ath: hash(token) };
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    htm: 'GET',
    htu: `${app.base_url}/v1/collaborators`,
    ...ath,
    ...changes,
  };
  const jwk = key.publicKey.export({ format: 'jwk' });
  const signed = `${part({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
const hash = (text: string) => Buffer.from(sha256(text)).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** An installation's token, bound to a key that the test holds. */
async function boundToken(): Promise<{ key: Key; token: string; credentials: { id: string; secret: string } }> {
  const credentials = { id: await addApp(app, { name: 'Payroll' }), secret: knownAppSecret };
  const { installation_id: installation } = await installApp(app, { client: credentials, scopes });
  const key = newKey();
  const token = await tokenWith(credentials, installation, key);
  return { key, token, credentials };
}

async function tokenWith(credentials: { id: string; secret: string }, installation: string, key: Key): Promise<string> {
  const at = { htm: 'POST', htu: `${app.base_url}/oauth/token` };
  const exchange = (proof: string) =>
    fetch(at.htu, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`,
        dpop: proof,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', installation_id: installation }),
    });
  const first = await exchange(proofOf(key, undefined, at));
  expect(await first.json()).toMatchObject({ error: 'use_dpop_nonce' });
  const nonce = first.headers.get('dpop-nonce')!;
  const proof = proofOf(key, undefined, { ...at, nonce });
  const response = (await (await exchange(proof)).json()) as { access_token: string; token_type: string };
  expect(response.token_type).toBe('DPoP');
  // The proof has been used.
  expect(await (await exchange(proof)).json()).toMatchObject({ error: 'invalid_grant' });
  return response.access_token;
}

test('metadata of the server and the API announces DPoP', async () => {
  expect(server).toMatchObject({ dpop_signing_alg_values_supported: ['ES256'] });
  const { body } = await app.anon.get('/.well-known/oauth-protected-resource').expect(200);
  expect(body).toMatchObject({ dpop_signing_alg_values_supported: ['ES256'] });
  // The resource for assistants accepts bearer tokens only.
  const ofTools = await app.anon.get('/.well-known/oauth-protected-resource/mcp').expect(200);
  expect(ofTools.body.dpop_signing_alg_values_supported).toBeUndefined();
});

test('a public client signs in, calls the API, and refreshes with its own key only', async () => {
  const { client, DPoP, tokens } = await signedIn();
  expect(tokens.token_type).toBe('dpop');
  for (let time = 0; time < 3; time++) expect((await call(tokens.access_token, DPoP)).status).toBe(200);
  expect((await call(tokens.access_token, DPoP, '/auth/user')).status).toBe(200);
  const refresh = (handle: oauth.DPoPHandle | undefined) =>
    withNonce(async () => {
      const options = { ...insecure, ...(handle && { DPoP: handle }) };
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token!,
        options,
      );
      return oauth.processRefreshTokenResponse(server, client, response);
    });
  const thief = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  for (const handle of [undefined, thief])
    await expect(refresh(handle)).rejects.toMatchObject({ error: 'invalid_grant' });
  const refreshed = await refresh(DPoP);
  expect((await call(refreshed.access_token, DPoP)).status).toBe(200);
});

test('only the client itself can revoke a bound token, and needs no proof', async () => {
  const { client, DPoP, tokens } = await signedIn();
  const revoke = async (revoker: oauth.Client) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(server, revoker, oauth.None(), tokens.access_token, insecure),
    );
  const other: oauth.Client = { client_id: await addApp(app, { name: 'Other', secret_hash: null }) };
  await revoke(other);
  expect((await call(tokens.access_token, DPoP)).status).toBe(200);
  await revoke(client);
  await eventually(() => expect(call(tokens.access_token, DPoP)).rejects.toMatchObject({ status: 401 }));
});

test('a client without a key gets bearer tokens', async () => {
  expect((await send({ authorization: `Bearer ${app.admin.token}` })).status).toBe(200);
});

describe('a stolen token', () => {
  let key: Key;
  let token: string;
  beforeAll(async () => {
    ({ key, token } = await boundToken());
  });
  const withProof = (proof: string, more: Record<string, string> = {}) =>
    send({ authorization: `DPoP ${token}`, dpop: proof, ...more });

  test('works with the key, also for HEAD and with a query', async () => {
    expect((await withProof(proofOf(key, token))).status).toBe(200);
    const head = proofOf(key, token, { htm: 'HEAD' });
    expect((await send({ authorization: `DPoP ${token}`, dpop: head }, 'HEAD')).status).toBe(200);
    // The token is valid there, but an installation has no profile.
    const userInfo = proofOf(key, token, { htu: `${app.base_url}/oauth/userinfo` });
    const response = await send({ authorization: `DPoP ${token}`, dpop: userInfo }, 'GET', '/oauth/userinfo');
    expect(response.status).toBe(403);
  });

  test.each([
    ['as a bearer token', () => ({ authorization: `Bearer ${token}` })],
    ['as a bearer token, with a proof', () => ({ authorization: `Bearer ${token}`, dpop: proofOf(key, token) })],
    ['without a proof', () => ({ authorization: `DPoP ${token}` })],
    ['with an invalid proof', () => ({ authorization: `DPoP ${token}`, dpop: 'proof' })],
    [
      'with two proofs',
      () => ({ authorization: `DPoP ${token}`, dpop: `${proofOf(key, token)}, ${proofOf(key, token)}` }),
    ],
    ['with a proof of another key', () => ({ authorization: `DPoP ${token}`, dpop: proofOf(newKey(), token) })],
    [
      'with a proof that names the key, but is signed with another',
      () => {
        const forged = { privateKey: newKey().privateKey, publicKey: key.publicKey };
        return { authorization: `DPoP ${token}`, dpop: proofOf(forged, token) };
      },
    ],
  ])('%s: 401', async (_name, headers) => {
    // A valid call first: the cached token must not admit the next one.
    expect((await withProof(proofOf(key, token))).status).toBe(200);
    const response = await send(headers());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
  });

  test.each<[string, (token: string) => [changes: object, header?: object]]>([
    ['another method', () => [{ htm: 'POST' }]],
    ['another address', () => [{ htu: `${app.base_url}/v1/collaborators/export` }]],
    ['another host', () => [{ htu: 'https://other.example/v1/collaborators' }]],
    ['no address', () => [{ htu: undefined }]],
    ['another token', () => [{ ath: hash('another') }]],
    ['no token', () => [{ ath: undefined }]],
    ['a time ten minutes ago', () => [{ iat: Math.floor(Date.now() / 1000) - 600 }]],
    ['a time in ten minutes', () => [{ iat: Math.floor(Date.now() / 1000) + 600 }]],
    ['no time', () => [{ iat: undefined }]],
    ['no id', () => [{ jti: undefined }]],
    ['another type', () => [{}, { typ: 'JWT' }]],
    ['no signature', () => [{}, { alg: 'none' }]],
    ['a symmetric key', () => [{}, { alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0' } }]],
    ['a private key', () => [{}, { jwk: key.privateKey.export({ format: 'jwk' }) }]],
  ])('a proof for %s: 401', async (_name, changed) => {
    const response = await withProof(proofOf(key, token, ...changed(token)));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_token".*algs="ES256"$/);
    const message = 'The access token or its DPoP proof is not valid.';
    expect(await response.json()).toMatchObject({ error: 'invalid_token', message });
  });

  test('a proof works once, also with a malleated signature', async () => {
    const proof = proofOf(key, token);
    expect((await withProof(proof)).status).toBe(200);
    expect((await withProof(proof)).status).toBe(401);
    // ECDSA has two valid signatures for each message.
    expect((await withProof(malleated(proof))).status).toBe(401);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => proofOf(key, token, { jti: 'at once' })).map((each) => withProof(each)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('a bearer token is rejected as a bound one', async () => {
    const response = await send({ authorization: `DPoP ${app.admin.token}`, dpop: proofOf(key, app.admin.token) });
    expect(response.status).toBe(401);
  });

  test('is rejected at the resource for assistants, which accepts bearer tokens only', async () => {
    const response = await send({ authorization: `DPoP ${token}`, dpop: proofOf(key, token) }, 'POST', '/mcp');
    expect(response.status).toBe(401);
  });
});

/** The same proof with the other valid signature of its key. */
function malleated(proof: string): string {
  const [header, payload, signature] = proof.split('.') as [string, string, string];
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${header}.${payload}.${other.toString('base64url')}`;
}
