/** The authorization code flow as a client library sees it, from metadata to revocation. */
import * as oauth from 'oauth4webapi';
import { eventually } from '../helpers/eventually.ts';
import { createBrowser, signIn, walkPages } from '../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri } from './service.ts';

const insecure = { [oauth.allowInsecureRequests]: true };
const scope = 'profile offline_access collaborators:read';

let service: OAuthService;
let server: oauth.AuthorizationServer;

beforeAll(async () => {
  service = await oauthService();
  const issuer = new URL(service.base_url);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  server = await oauth.processDiscoveryResponse(issuer, response);
});
afterAll(() => service.close());

describe.each(['confidential', 'native'] as const)('a %s client', (kind) => {
  test('gets, uses, refreshes, and revokes tokens', async () => {
    const client: oauth.Client = { client_id: service[kind].id };
    const secret = kind === 'confidential' ? service.confidential.secret : undefined;
    const authentication = secret ? oauth.ClientSecretBasic(secret) : oauth.None();

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint!);
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const { location } = await walkPages(createBrowser(service.base_url), url.href, service.ana);
    expect(location.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect([...location.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);

    const parameters = oauth.validateAuthResponse(server, client, location, state);
    const granted = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      insecure,
    );
    expect(granted.headers.get('cache-control')).toBe('no-store');
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope });

    const verified = await service.verify(tokens.access_token);
    expect(verified).toMatchObject({
      user_id: service.ana.user_id,
      client_id: client.client_id,
      scopes: scope.split(' '),
    });
    expect(verified.company_ids.toSorted()).toEqual(service.company_ids.toSorted());
    const [header, claims] = decode(tokens.access_token);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(claims).toMatchObject({
      iss: service.base_url,
      aud: service.base_url,
      sub: service.ana.user_id,
      client_id: client.client_id,
      grant_id: verified.grant_id,
      scope,
      jti: expect.any(String),
    });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(3600);

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token!, insecure),
    );
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await service.verify(refreshed.access_token)).grant_id).toBe(verified.grant_id);

    const revoked = await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token!, insecure);
    await oauth.processRevocationResponse(revoked);
    for (const { access_token: accessToken } of [tokens, refreshed]) {
      await refused(accessToken);
    }
    const reused = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      refreshed.refresh_token!,
      insecure,
    );
    await expect(reused.json()).resolves.toMatchObject({ error: 'invalid_grant' });
  });
});

test('without offline_access, there is no refresh token, and the access token can be revoked', async () => {
  const tokens = await signIn({ ...service, client: service.native, ...service.ana, scopes: ['profile'] });
  expect(tokens.refresh_token).toBeUndefined();
  const client = { client_id: service.native.id };
  const other = { client_id: service.confidential.id };
  const authentication = oauth.ClientSecretBasic(service.confidential.secret);

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, other, authentication, tokens.access_token, insecure),
  );
  await expect(service.verify(tokens.access_token)).resolves.toMatchObject({ scopes: ['profile'] });

  for (const token of [tokens.access_token, tokens.access_token, 'nothing', 'eyJhbGciOiJub25lIn0.e30.x']) {
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token, insecure));
  }
  await refused(tokens.access_token);
});

test('the metadata lists exactly what is supported', async () => {
  const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
  const assertionAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'];
  const response = await fetch(`${service.base_url}/.well-known/oauth-authorization-server`);
  const { scopes_supported: scopesSupported, ...metadata } = (await response.json()) as Record<string, unknown>;
  expect(metadata).toEqual({
    issuer: service.base_url,
    acr_values_supported: ['1fa', '2fa'],
    authorization_endpoint: `${service.base_url}/oauth/authorize`,
    token_endpoint: `${service.base_url}/oauth/token`,
    revocation_endpoint: `${service.base_url}/oauth/revoke`,
    jwks_uri: `${service.base_url}/oauth/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    userinfo_endpoint: `${service.base_url}/oauth/userinfo`,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'name', 'locale', 'email', 'email_verified'],
    request_uri_parameter_supported: false,
    ui_locales_supported: ['en', 'pt-BR', 'es'],
  });
  expect(scopesSupported).toHaveLength(27);
  const absent = ['/oauth/session/end', '/oauth/authorize/'];
  for (const path of absent) expect((await fetch(service.base_url + path)).status).toBe(404);
});

test('OPTIONS requests for metadata that aren’t from a browser get a 404, not an error', async () => {
  const address = `${service.base_url}/.well-known/oauth-authorization-server`;
  expect((await fetch(address, { method: 'OPTIONS' })).status).toBe(404);
  const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
  const preflight = await fetch(address, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET']);
});

test('publishes only public keys', async () => {
  const response = await fetch(`${service.base_url}/oauth/jwks`);
  expect(response.headers.get('content-type')).toContain('application/jwk-set+json');
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

function decode(token: string): Record<string, unknown>[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
}

/** A revocation takes effect everywhere within a second. */
function refused(token: string): Promise<void> {
  return eventually(() => expect(service.verify(token)).rejects.toMatchObject({ code: 'invalid_token' }));
}
