/** The authorization code flow with openid-client, the usual library for Node. */
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { eventually } from '../../helpers/eventually.ts';
import {
  authorizationUrl,
  createBrowser,
  signIn,
  type Tokens,
  tokenRequest,
  walkPages,
} from '../../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri } from '../service.ts';

const scope = 'profile offline_access collaborators:read';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

test('a confidential client signs a user in, refreshes, and revokes', async () => {
  const { id, secret } = service.confidential;
  const authentication = client.ClientSecretBasic(secret);
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(service.base_url), id, secret, authentication, options);
  expect(config.serverMetadata().supportsPKCE()).toBe(true);

  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { location } = await walkPages(createBrowser(service.base_url), url.href, service.ana);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await client.authorizationCodeGrant(config, location, checks);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope, expires_in: 3600 });
  await expect(service.verify(tokens.access_token)).resolves.toMatchObject({ client_id: id });

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  await expect(service.verify(refreshed.access_token)).resolves.toMatchObject({ scopes: scope.split(' ') });

  await client.tokenRevocation(config, refreshed.refresh_token!);
  for (const { access_token: accessToken } of [tokens, refreshed]) {
    await eventually(() => expect(service.verify(accessToken)).rejects.toMatchObject({ code: 'invalid_token' }));
  }
  await expect(client.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('detects a response to another client', async () => {
  const { id, secret } = service.confidential;
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(service.base_url), id, secret, undefined, options);
  const location = (changes: Record<string, string>) => {
    const response = { code: 'x'.repeat(43), state: 'mine', iss: service.base_url, ...changes };
    return new URL(`${redirectUri}?${new URLSearchParams(response)}`);
  };
  const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: 'mine' };
  for (const wrong of [{ state: 'another' }, { iss: 'https://evil.example' }] as Record<string, string>[]) {
    await expect(client.authorizationCodeGrant(config, location(wrong), checks)).rejects.toThrow();
  }
  await expect(client.authorizationCodeGrant(config, location({}), checks)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

describe('an OpenID Connect client', () => {
  /** Signs in as a generic client does. @param more added to its request */
  const signInWith = async (
    kind: 'confidential' | 'native',
    requestedScope: string,
    more: Record<string, string> = {},
  ) => {
    const { id, secret } = { secret: undefined, ...service[kind] };
    const authentication = secret ? client.ClientSecretPost(secret) : client.None();
    const options = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(service.base_url), id, secret, authentication, options);
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const isOpenid = requestedScope.split(' ').includes('openid');
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: requestedScope,
      state,
      ...(isOpenid && { nonce }),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    });
    const { location, pages } = await walkPages(createBrowser(service.base_url), url.href, service.ana);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const openid = isOpenid && { expectedNonce: nonce, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, location, { ...checks, ...openid });
    return { config, tokens, consent: pages.at(-1)!.html, id, nonce };
  };

  test('without a secret discovers the service and gets the user’s identity', async () => {
    const { config, tokens, consent, id, nonce } = await signInWith('native', 'openid profile offline_access');
    const { issuer, userinfo_endpoint: userinfoEndpoint } = config.serverMetadata();
    expect([issuer, userinfoEndpoint]).toEqual([service.base_url, `${service.base_url}/oauth/userinfo`]);
    expect(consent).toContain('by a unique ID');
    const { iat, exp, ...claims } = tokens.claims()!;
    const userInfo = { sub: service.ana.user_id, name: expect.any(String) };
    expect(claims).toEqual({ iss: service.base_url, aud: id, nonce, ...userInfo });
    expect(await client.fetchUserInfo(config, tokens.access_token, service.ana.user_id)).toEqual(userInfo);
    expect(exp - iat).toBe(300);
    expect(tokens.scope).toBe('openid profile offline_access');
    // The access token is the same as without openid.
    await expect(service.verify(tokens.access_token)).resolves.toMatchObject({
      scopes: ['profile', 'offline_access'],
    });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!);
    expect(refreshed.scope).toBe('openid profile offline_access');
    expect(refreshed.claims()).toMatchObject({ sub: service.ana.user_id, aud: id });
    await expect(service.verify(refreshed.access_token)).resolves.toMatchObject({
      scopes: ['profile', 'offline_access'],
    });
  });

  test('gets the supported part of the requested claims, also after a refresh', async () => {
    const requestedScope = 'openid  email profile phone address  offline_access';
    const { config, tokens, consent } = await signInWith('confidential', requestedScope);
    expect(consent).toContain('See your email address');
    // The operator created the account, so the email isn't verified.
    const address = { email: service.ana.email, email_verified: false };
    expect(tokens.claims()).toMatchObject({ sub: service.ana.user_id, ...address });
    expect(tokens.scope).toBe('openid email profile offline_access');
    expect(await client.fetchUserInfo(config, tokens.access_token, service.ana.user_id)).toMatchObject(address);
    const { scopes } = await service.verify(tokens.access_token);
    expect(scopes).toEqual(expect.arrayContaining(['profile', 'offline_access']));
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!, { scope: requestedScope });
    await expect(service.verify(refreshed.access_token)).resolves.toMatchObject({ scopes });
    await expect(
      client.refreshTokenGrant(config, refreshed.refresh_token!, { scope: 'salary:read' }),
    ).rejects.toThrow();
  });

  test('gets no other claims, whatever it requests', async () => {
    const more = {
      max_age: '600',
      acr_values: 'x',
      claims: '{"id_token":{"acr":null,"email":{"essential":true},"name":null}}',
    };
    const { tokens } = await signInWith('confidential', 'openid profile', { ...more, prompt: 'login' });
    const known = ['aud', 'auth_time', 'exp', 'iat', 'iss', 'name', 'nonce', 'sub'];
    expect(Object.keys(tokens.claims()!).filter((claim) => !known.includes(claim))).toEqual([]);
  });

  test('can request openid only, and gets a token without permissions', async () => {
    const { config, tokens } = await signInWith('native', 'openid');
    const userInfo = await client.fetchUserInfo(config, tokens.access_token, service.ana.user_id);
    expect(userInfo).toEqual({ sub: service.ana.user_id });
    expect(tokens.claims()!.sub).toBe(service.ana.user_id);
    await expect(service.verify(tokens.access_token)).resolves.toMatchObject({ scopes: [] });
  });

  test('gets no id_token without openid, and an id_token isn’t an access token', async () => {
    const without = await signInWith('native', 'profile');
    expect([without.tokens.id_token, without.consent.includes('by a unique ID')]).toEqual([undefined, false]);
    const { tokens } = await signInWith('native', 'openid profile');
    await expect(service.verify(tokens.id_token!)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('approved without openid needs consent again', async () => {
    const browser = createBrowser(service.base_url);
    const verifier = client.randomPKCECodeVerifier();
    const { id: clientId } = service.confidential;
    const allowed = async (requestedScope: string) => {
      const url = authorizationUrl({
        ...service,
        client_id: clientId,
        redirect_uri: redirectUri,
        scopes: requestedScope.split(' '),
        verifier,
      });
      return (await walkPages(browser, url, service.ana)).pages.map(
        ({ html }) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1],
      );
    };
    expect(await allowed('profile')).toHaveLength(2);
    expect(await allowed('profile')).toHaveLength(0);
    expect(await allowed('openid profile')).toEqual([expect.stringContaining('Allow')]);
    expect(await allowed('openid profile')).toHaveLength(0);
  });
});

describe('userinfo', () => {
  const requestUserInfo = (token?: string) =>
    fetch(`${service.base_url}/oauth/userinfo`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  const verified = async () => {
    const tokens = await signIn({ ...service.ana, ...browserless(), scopes: ['openid', 'email'] });
    return ((await (await requestUserInfo(tokens.access_token)).json()) as { email_verified: boolean }).email_verified;
  };
  const browserless = () => ({ base_url: service.base_url, client: service.confidential, redirect_uri: redirectUri });

  test('shows an email as verified after the person opens a link sent there', async () => {
    expect(await verified()).toBe(false);
    await service.database.query('update users set email_confirmed_at = now() where id = $1', [service.ana.user_id]);
    expect(await verified()).toBe(true);
  });

  test('requires a token granted with openid', async () => {
    expect((await requestUserInfo()).status).toBe(401);
    expect((await requestUserInfo('eyJhbGciOiJub25lIn0.e30.')).status).toBe(401);
    const tokens = await signIn({ ...service.ana, ...browserless(), scopes: ['profile'] });
    const refused = await requestUserInfo(tokens.access_token);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="openid"');
  });

  test('and the id_token show what a refreshed token is for', async () => {
    const { client: app } = browserless();
    const scopes = ['openid', 'email', 'profile', 'offline_access'];
    let { refresh_token: token } = await signIn({ ...service.ana, ...browserless(), scopes });
    for (const [requested, claims] of [
      ['openid profile', { name: expect.any(String) }],
      ['openid email', { email: expect.any(String), email_verified: expect.any(Boolean) }],
      ['openid', {}],
    ] as const) {
      const body = { grant_type: 'refresh_token', refresh_token: token!, scope: requested };
      const fewer = (await (await tokenRequest(service.base_url, app, body)).json()) as Tokens & { id_token: string };
      token = fewer.refresh_token;
      const user = { sub: service.ana.user_id, ...claims };
      expect(await (await requestUserInfo(fewer.access_token)).json()).toEqual(user);
      const { aud: _, exp: __, iat: ___, iss: ____, ...shown } = decodeJwt(fewer.id_token);
      expect([requested, shown]).toEqual([requested, user]);
    }
  });

  test('requires openid of the token, even if an earlier one had it', async () => {
    const browser = createBrowser(service.base_url);
    const request = { ...service.ana, ...browserless(), browser };
    const scopes = ['openid', 'email', 'profile', 'offline_access'];
    const { refresh_token: token } = await signIn({ ...request, scopes });
    const body = { grant_type: 'refresh_token', refresh_token: token!, scope: 'profile' };
    const refreshed = (await (await tokenRequest(service.base_url, request.client, body)).json()) as Tokens;
    const signedIn = await signIn({ ...request, scopes: ['profile'] });
    for (const { access_token: accessToken } of [refreshed, signedIn])
      expect((await requestUserInfo(accessToken)).status).toBe(403);
  });

  test('doesn’t support email as the only scope', async () => {
    const url = authorizationUrl({
      base_url: service.base_url,
      client_id: service.confidential.id,
      redirect_uri: redirectUri,
      scopes: ['email'],
      verifier: 'x'.repeat(43),
    });
    const { location } = await createBrowser(service.base_url).open(url);
    expect(location!.searchParams.get('error')).toBe('invalid_scope');
  });
});
