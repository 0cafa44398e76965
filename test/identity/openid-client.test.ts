/** The authorization code flow with openid-client, as most clients on Node will do it. */
import * as client from 'openid-client';
import { withinSecond } from '../helpers/eventually.ts';
import { createBrowser, throughPages } from '../helpers/oauth.ts';
import { type OAuthService, oauthService, redirect_uri } from './service.ts';

const scope = 'profile offline_access collaborators:read';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

test.each(['confidential', 'native'] as const)('a %s client signs a user in, refreshes and revokes', async (kind) => {
  const { id, secret } = { secret: undefined, ...service[kind] };
  const authentication = secret ? client.ClientSecretBasic(secret) : client.None();
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(service.base_url), id, secret, authentication, options);
  expect(config.serverMetadata().supportsPKCE()).toBe(true);

  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { location } = await throughPages(createBrowser(service.base_url), url.href, service.ana);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await client.authorizationCodeGrant(config, location, checks);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope, expires_in: 3600 });
  await expect(service.verify(tokens.access_token)).resolves.toMatchObject({ client_id: id });

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  await expect(service.verify(refreshed.access_token)).resolves.toMatchObject({ scopes: scope.split(' ') });

  await client.tokenRevocation(config, refreshed.refresh_token!);
  for (const { access_token } of [tokens, refreshed]) {
    await withinSecond(() => expect(service.verify(access_token)).rejects.toMatchObject({ code: 'invalid_token' }));
  }
  await expect(client.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('an answer that is not for this client is found out', async () => {
  const { id, secret } = service.confidential;
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(service.base_url), id, secret, undefined, options);
  const location = (changes: Record<string, string>) => {
    const answer = { code: 'x'.repeat(43), state: 'mine', iss: service.base_url, ...changes };
    return new URL(`${redirect_uri}?${new URLSearchParams(answer)}`);
  };
  const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: 'mine' };
  for (const wrong of [{ state: 'another' }, { iss: 'https://evil.example' }] as Record<string, string>[]) {
    await expect(client.authorizationCodeGrant(config, location(wrong), checks)).rejects.toThrow();
  }
  await expect(client.authorizationCodeGrant(config, location({}), checks)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});
