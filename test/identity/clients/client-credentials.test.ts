/** Tokens of installations through the client credentials grant, with openid-client, and who can't get one. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import * as client from 'openid-client';
import supertest from 'supertest';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { tokenRequest } from '../../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../../helpers/resources/apps.ts';
import { installApp } from '../../helpers/resources/installations.ts';

const scopes = ['profile', 'offline_access', 'collaborators:read', 'collaborators:write'];

let app: TestApp;
let credentials: { id: string; secret: string };
let installation: string;
beforeAll(async () => {
  app = await testApp();
  credentials = { id: await addApp(app, { name: 'Payroll' }), secret: knownAppSecret };
  ({ installation_id: installation } = await installApp(app, { client: credentials, scopes }));
});
afterAll(() => app.close());

const discover = (authentication: client.ClientAuth, id = credentials.id) =>
  client.discovery(new URL(app.base_url), id, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
const people = (accessToken: string) =>
  supertest(app.base_url)
    .get('/v1/collaborators?limit=1')
    .set({ authorization: `Bearer ${accessToken}`, 'x-company-id': app.company_id });
const requestToken = async (body: Record<string, string>, caller: { id: string; secret?: string } = credentials) => {
  const response = await tokenRequest(app.base_url, caller, { grant_type: 'client_credentials', ...body });
  return { status: response.status, ...((await response.json()) as { error?: string; scope?: string }) };
};

describe('an app gets a token', () => {
  test('with its secret, for an hour, without a refresh token', async () => {
    const config = await discover(client.ClientSecretBasic(knownAppSecret));
    expect(config.serverMetadata().grant_types_supported).toContain('client_credentials');
    const tokens = await client.clientCredentialsGrant(config, { installation_id: installation });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, installation_id: installation });
    expect(tokens.scope).toBe('profile collaborators:read collaborators:write');
    expect(tokens.refresh_token).toBeUndefined();
    await people(tokens.access_token).expect(200);
    const caller = await supertest(app.base_url)
      .get('/auth/user')
      .set('authorization', `Bearer ${tokens.access_token}`);
    expect(caller.body).toMatchObject({ kind: 'installation', id: installation, name: 'Payroll' });
  });

  test('with fewer scopes than were granted, which the audit log records for the installation', async () => {
    const { scope } = await requestToken({ installation_id: installation, scope: 'collaborators:read' });
    expect(scope).toBe('collaborators:read');
    const { body } = await app.admin.get('/v1/audit?action=token.issued&limit=1').expect(200);
    expect(body.data[0]).toMatchObject({
      actor: { type: 'installation' },
      details: { grant_type: 'client_credentials', grant_id: installation },
    });
  });
});

describe('an app with keys', () => {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' } };
  };
  const subtle = async (key: ReturnType<typeof pair>['privateKey']) =>
    globalThis.crypto.subtle.importKey(
      'jwk',
      key.export({ format: 'jwk' }),
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign'],
    );
  const setKeys = (jwks: object | null) => app.admin.put(`/v1/apps/${credentials.id}`).send({ jwks });
  afterEach(() => setKeys(null).expect(200));

  test('uses private_key_jwt, and its secret is rejected until the keys are removed', async () => {
    const { privateKey, jwk } = pair();
    const { body } = await setKeys({ keys: [jwk] }).expect(200);
    expect(body.jwks).toEqual({ keys: [jwk] });
    const config = await discover(client.PrivateKeyJwt({ key: await subtle(privateKey), kid: 'first' }));
    const tokens = await client.clientCredentialsGrant(config, { installation_id: installation });
    await people(tokens.access_token).expect(200);
    expect(await requestToken({ installation_id: installation })).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    await setKeys(null).expect(200);
    expect(await requestToken({ installation_id: installation })).toMatchObject({ status: 200 });
  });

  test('can use an assertion once, even for concurrent requests', async () => {
    const { privateKey, jwk } = pair();
    await setKeys({ keys: [jwk] }).expect(200);
    let form = new URLSearchParams();
    const config = await discover(client.PrivateKeyJwt({ key: await subtle(privateKey), kid: 'first' }));
    config[client.customFetch] = async (url, init) => {
      form = new URLSearchParams(init.body as URLSearchParams);
      return fetch(url, init as RequestInit);
    };
    await client.clientCredentialsGrant(config, { installation_id: installation });
    const send = () => fetch(`${app.base_url}/oauth/token`, { method: 'POST', body: form });
    expect((await send()).status).toBe(401);
    // Keeps the next assertion unused, and sends it several times at once.
    config[client.customFetch] = async (_url, init) => {
      form = new URLSearchParams(init.body as URLSearchParams);
      return new Response('{}', { status: 500 });
    };
    await expect(client.clientCredentialsGrant(config, { installation_id: installation })).rejects.toThrow();
    const raced = await Promise.all(Array.from({ length: 5 }, send));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('can’t use another app’s key', async () => {
    const { privateKey, jwk } = pair();
    const other = await addApp(app, { name: 'Other' });
    await app.admin
      .put(`/v1/apps/${other}`)
      .send({ jwks: { keys: [jwk] } })
      .expect(200);
    await setKeys({ keys: [pair().jwk] }).expect(200);
    const config = await discover(client.PrivateKeyJwt({ key: await subtle(privateKey), kid: 'first' }));
    await expect(client.clientCredentialsGrant(config, { installation_id: installation })).rejects.toMatchObject({
      error: 'invalid_client',
    });
  });

  test.each([
    ['a private key', () => pair().privateKey.export({ format: 'jwk' }), 'jwks.keys.0.d'],
    ['half a key', () => ({ kty: 'EC', crv: 'P-256', x: 'AAAA' }), 'jwks.keys.0'],
    [
      'RSA of 1,024 bits',
      () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
      'jwks.keys.0',
    ],
  ])('can’t register %s', async (_, key, field) => {
    const { body } = await setKeys({ keys: [key()] }).expect(400);
    expect(Object.keys(body.details)).toEqual([field]);
  });

  test('must not be public', async () => {
    const id = await addApp(app, { secret_hash: null });
    const { body } = await app.admin
      .put(`/v1/apps/${id}`)
      .send({ jwks: { keys: [pair().jwk] } })
      .expect(400);
    expect(body.details.jwks[0].code).toBe('field_not_allowed');
  });
});

describe('no token', () => {
  test('for another app’s installation, an unknown id, or a person’s grant, with the same response', async () => {
    const other = { id: await addApp(app), secret: knownAppSecret };
    const ofPerson = randomUUID();
    await app.as('admin', { client_id: credentials.id, grant_id: ofPerson, scopes });
    const refused = { status: 400, error: 'invalid_grant' };
    const nobody = await requestToken({ installation_id: 'nobody' });
    expect(nobody).toMatchObject(refused);
    for (const id of ['a\0b', ofPerson]) expect(await requestToken({ installation_id: id })).toEqual(nobody);
    const ofOther = await requestToken({ installation_id: installation }, other);
    expect(ofOther).toEqual(nobody);
  });

  test('without an installation, for more scopes than granted, or for another resource', async () => {
    expect(await requestToken({})).toMatchObject({ status: 400, error: 'invalid_request' });
    const more = { installation_id: installation, scope: 'collaborators:read salary:read' };
    expect(await requestToken(more)).toMatchObject({ status: 400, error: 'invalid_scope' });
    const elsewhere = { installation_id: installation, resource: 'https://elsewhere.example' };
    expect(await requestToken(elsewhere)).toMatchObject({ status: 400, error: 'invalid_target' });
  });

  test('for an app without a secret', async () => {
    const id = await addApp(app, { secret_hash: null });
    expect(await requestToken({ installation_id: installation }, { id })).toMatchObject({
      status: 400,
      error: 'invalid_request',
      error_description: 'requested grant type is not allowed for this client',
    });
  });

  test('if the admin didn’t grant offline access', async () => {
    const brief = await installApp(app, { client: credentials, scopes: ['collaborators:read'] });
    expect(await requestToken({ installation_id: brief.installation_id })).toMatchObject({ error: 'invalid_grant' });
  });

  test('after the installation is revoked, which revokes existing tokens too', async () => {
    const config = await discover(client.ClientSecretPost(knownAppSecret));
    const { installation_id: revoked } = await installApp(app, { client: credentials, scopes });
    const { access_token: accessToken } = await client.clientCredentialsGrant(config, { installation_id: revoked });
    await app.admin.delete(`/v1/connections/${revoked}`).expect(200);
    expect(await requestToken({ installation_id: revoked })).toMatchObject({ status: 400, error: 'invalid_grant' });
    await eventually(async () => void (await people(accessToken).expect(401)));
  });

  test('with a scope that the app has lost since', async () => {
    const other = { id: await addApp(app), secret: knownAppSecret };
    const { installation_id: installationId } = await installApp(app, { client: other, scopes });
    await app.admin
      .put(`/v1/apps/${other.id}`)
      .send({ scopes: ['profile', 'collaborators:read'] })
      .expect(200);
    expect((await requestToken({ installation_id: installationId }, other)).scope).toBe('profile collaborators:read');
  });
});
