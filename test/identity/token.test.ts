/** The token endpoint: single-use codes, rotating refresh tokens, and revocation of a grant after a leak. */
import { secretsIn } from '../../scripts/supply-chain/secret-patterns.ts';
import { createClient } from '../../src/identity/clients/clients.ts';
import { eventually } from '../helpers/eventually.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  signIn,
  type Tokens,
  tokenRequest,
  walkPages,
} from '../helpers/identity/oauth.ts';
import { age, type OAuthService, oauthService, otherProcess, redirectUri } from './service.ts';

const scopes = ['profile', 'offline_access', 'collaborators:read', 'salary:read'];
const dayS = 86_400;

let service: OAuthService;
/** Signed in by the first test that needs it. */
let browser: Browser;
type Client = { id: string; secret?: string };

beforeAll(async () => {
  service = await oauthService();
  browser = createBrowser(service.base_url);
});
afterAll(() => service.close());
afterEach(() =>
  service.database.query("delete from oauth_artifacts where kind in ('AuthorizationCode', 'RefreshToken')"),
);

async function newCode(client: Client): Promise<Record<string, string>> {
  const codeVerifier = newVerifier();
  const url = authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: codeVerifier,
  });
  const { location } = await walkPages(browser, url, service.ana);
  const code = location.searchParams.get('code')!;
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
}

async function newTokens(client: Client): Promise<Tokens> {
  return (await tokens(client, await newCode(client))) as Tokens;
}

/** The response body; `error` is set on failure. */
async function tokens(client: Client, body: Record<string, string>): Promise<Tokens | { error: string }> {
  const response = await tokenRequest(service.base_url, client, body);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return response.json() as Promise<Tokens | { error: string }>;
}

function refresh(
  client: Client,
  { refresh_token: refreshToken }: Tokens,
  more = {},
): Promise<Tokens | { error: string }> {
  return tokens(client, { grant_type: 'refresh_token', refresh_token: refreshToken!, ...more });
}

/** `revoked_at` of the grant behind a token. */
async function grantEnd({ access_token: accessToken }: Tokens): Promise<string | null> {
  const { grant_id: grantId } = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString());
  const [grant] = await service.database.query<{ revoked_at: string | null }>(
    'select revoked_at from oauth_grants where id = $1',
    [grantId],
  );
  return grant!.revoked_at;
}

describe('a code', () => {
  test('is rejected with wrong parameters or another client, and stays valid', async () => {
    const body = await newCode(service.native);
    const wrong: [string, Record<string, string | undefined>, error: string][] = [
      ['a wrong verifier', { code_verifier: newVerifier() }, 'invalid_grant'],
      ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
      ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
      ['no redirect URI', { redirect_uri: undefined }, 'invalid_request'],
      ['a wrong code', { code: 'x'.repeat(43) }, 'invalid_grant'],
      ['no grant type', { grant_type: undefined }, 'invalid_request'],
      ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
      ['client credentials without an installation', { grant_type: 'client_credentials' }, 'invalid_request'],
    ];
    for (const [name, changes, error] of wrong) {
      const entries = Object.entries({ ...body, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
      const response = await tokens(service.native, Object.fromEntries(entries));
      expect([name, response]).toMatchObject([name, { error }]);
    }
    await expect(tokens(service.confidential, body)).resolves.toMatchObject({ error: 'invalid_grant' });
    await expect(tokens(service.native, body)).resolves.toMatchObject({ token_type: 'Bearer' });
  });

  test('expires after a minute', async () => {
    const body = await newCode(service.native);
    await age(service, 'AuthorizationCode', 60);
    await expect(tokens(service.native, body)).resolves.toMatchObject({ error: 'invalid_grant' });
    const younger = await newCode(service.native);
    await age(service, 'AuthorizationCode', 45);
    await expect(tokens(service.native, younger)).resolves.toMatchObject({ token_type: 'Bearer' });
  });

  test('used twice revokes the grant and all its tokens', async () => {
    const body = await newCode(service.native);
    const first = (await tokens(service.native, body)) as Tokens;
    expect(await grantEnd(first)).toBeNull();
    await expect(tokens(service.native, body)).resolves.toMatchObject({ error: 'invalid_grant' });
    expect(await grantEnd(first)).not.toBeNull();
    await expect(refresh(service.native, first)).resolves.toMatchObject({ error: 'invalid_grant' });
    await eventually(() => expect(service.verify(first.access_token)).rejects.toMatchObject({ code: 'invalid_token' }));
  });

  test('used concurrently returns tokens at most once, and none that last', async () => {
    const body = await newCode(service.native);
    const responses = await Promise.all(Array.from({ length: 4 }, () => tokens(service.native, body)));
    const issued = responses.filter((response): response is Tokens => 'access_token' in response);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const each of responses)
      if (!issued.includes(each as Tokens)) expect(each).toMatchObject({ error: 'invalid_grant' });
    for (const each of issued) expect(await grantEnd(each)).not.toBeNull();
    const lasting = "select 1 from oauth_artifacts where kind in ('AuthorizationCode', 'RefreshToken')";
    expect(await service.database.query(lasting)).toEqual([]);
  });
});

describe('a client', () => {
  test.each([
    ['a wrong secret', () => ({ ...service.confidential, secret: 'x'.repeat(43) })],
    ['no secret', () => ({ id: service.confidential.id })],
    ['a secret where it has none', () => ({ ...service.native, secret: 'x' })],
    ['an unknown id', () => ({ id: 'unknown' })],
    ['an id that no text can be', () => ({ id: '\0' })],
  ])('is rejected with %s', async (_name, client) => {
    const response = await tokenRequest(service.base_url, client(), {
      grant_type: 'refresh_token',
      refresh_token: 'x',
    });
    expect(response.status).toBe(401);
    await expect(response.json()).resolves.toMatchObject({ error: 'invalid_client' });
  });

  test('can send its secret in the body', async () => {
    const { id, secret } = service.confidential;
    const body = { ...(await newCode(service.confidential)), client_id: id, client_secret: secret };
    const response = await fetch(`${service.base_url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    await expect(response.json()).resolves.toMatchObject({ token_type: 'Bearer' });
  });

  test('that also sends its access token is authenticated by the rest', async () => {
    const { id, secret } = service.confidential;
    const { access_token: accessToken, refresh_token: refreshToken } = await newTokens(service.confidential);
    const call = (path: string, body: Record<string, string>) =>
      fetch(service.base_url + path, {
        method: 'POST',
        body: new URLSearchParams(body),
        headers: { authorization: `bearer ${accessToken}` },
      });
    const refreshing = { grant_type: 'refresh_token', refresh_token: refreshToken! };
    const refreshed = await call('/oauth/token', { ...refreshing, client_id: id, client_secret: secret });
    const { refresh_token: token = '' } = (await refreshed.json()) as Tokens;
    expect([refreshed.status, token]).toEqual([200, expect.stringMatching(/^cma_rt_/)]);
    // The token authenticates nobody: it replaces neither a secret nor a client id.
    const others: Record<string, string>[] = [{}, { client_id: id }, { client_id: id, client_secret: 'x'.repeat(43) }];
    for (const client of others) {
      const status = 'client_id' in client ? 401 : 400;
      expect((await call('/oauth/token', { ...refreshing, refresh_token: token, ...client })).status).toBe(status);
      expect((await call('/oauth/revoke', { token, ...client })).status).toBe(status);
    }
    expect(await grantEnd({ access_token: accessToken } as Tokens)).toBeNull();
    const revoked = await call('/oauth/revoke', { token, client_id: id, client_secret: secret });
    expect(revoked.status).toBe(200);
    expect(await grantEnd({ access_token: accessToken } as Tokens)).not.toBeNull();
  });

  test('with two real authentications is still rejected', async () => {
    const { id, secret } = service.confidential;
    const body = { grant_type: 'refresh_token', refresh_token: 'x', client_id: id, client_secret: secret };
    const response = await tokenRequest(service.base_url, service.confidential, body);
    await expect(response.json()).resolves.toMatchObject({ error: 'invalid_request' });
  });

  test('without a secret may call from its own origin only', async () => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: service.native.id });
    const call = (origin: string) =>
      fetch(`${service.base_url}/oauth/token`, { method: 'POST', body, headers: { origin } });
    const own = await call('https://payroll.example');
    expect(own.headers.get('access-control-allow-origin')).toBe('https://payroll.example');
    await expect(own.json()).resolves.toMatchObject({ error: 'invalid_grant' });
    const other = await call('https://evil.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    await expect(other.json()).resolves.toMatchObject({ error: 'invalid_request' });
  });
});

describe('a page in a browser', () => {
  const own = 'https://payroll.example';
  const shared = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  const send = (origin: string | undefined, init: RequestInit, path = '/oauth/token') =>
    fetch(service.base_url + path, { ...init, headers: { ...init.headers, ...(origin && { origin }) } });
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };

  test.each(['/oauth/token', '/oauth/revoke'])('can call %s only from the origin of a public client', async (path) => {
    const allowed = await send(own, preflight, path);
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': own,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
    for (const origin of ['https://evil.example', 'null', 'https://PAYROLL.example', 'https://payroll.example:8443']) {
      const refused = await send(origin, preflight, path);
      expect([origin, refused.status, shared(refused)]).toEqual([origin, 204, []]);
    }
  });

  test.each([
    ['before its client is known', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ['with a client that is not', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'unknown' }],
    ['without a client', {}],
  ])('can read the error %s, and other origins can’t', async (_, form) => {
    const body = new URLSearchParams(form as Record<string, string>);
    const heard = await send(own, { method: 'POST', body });
    expect([heard.headers.get('access-control-allow-origin'), heard.headers.get('vary')]).toEqual([own, 'Origin']);
    for (const origin of ['https://evil.example', 'null', undefined]) {
      expect([origin, shared(await send(origin, { method: 'POST', body }))]).toEqual([origin, []]);
    }
  });

  test('can read the error for a malformed body too', async () => {
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect((await send(own, broken)).headers.get('access-control-allow-origin')).toBe(own);
    expect(shared(await send('https://evil.example', broken))).toEqual([]);
  });

  test('has no origin if the client uses a custom URI scheme', async () => {
    const redirectUris = ['com.example.phone:/callback'];
    const { id } = await createClient(service.database.db, {
      name: 'Phone',
      redirect_uris: redirectUris,
      public: true,
    });
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: id });
    const response = await send('null', { method: 'POST', body });
    expect([response.status, shared(response)]).toEqual([400, []]);
    await expect(response.json()).resolves.toMatchObject({ error: 'invalid_request' });
  });
});

describe('JSON', () => {
  const post = (body: string, headers: Record<string, string> = {}, path = '/oauth/token') =>
    fetch(service.base_url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('is accepted like a form, up to a size, and as the only other media type', async () => {
    const body = { ...(await newCode(service.native)), client_id: service.native.id };
    const form = new URLSearchParams(body).toString();
    for (const refused of [
      await post(JSON.stringify({ ...body, more: 'x'.repeat(60_000) })),
      await post(form, { 'content-type': 'application/xml' }),
      await post(form, { 'content-type': 'text/plain' }),
    ]) {
      expect(refused.status).toBe(400);
      await expect(refused.json()).resolves.toMatchObject({ error: 'invalid_request' });
    }
    const response = await post(JSON.stringify({ ...body, more: 'x'.repeat(30_000) }));
    const issued = (await response.json()) as Tokens;
    expect(issued.token_type).toBe('Bearer');
    const { refresh_token: refreshToken } = issued;
    const refreshBody = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: service.native.id };
    const refreshed = (await (await post(JSON.stringify(refreshBody))).json()) as Tokens;
    expect(refreshed.token_type).toBe('Bearer');
    const token = refreshed.refresh_token;
    const revoked = await post(JSON.stringify({ token, client_id: service.native.id }), {}, '/oauth/revoke');
    expect(revoked.status).toBe(200);
    expect([revoked.headers.get('content-type'), await revoked.text()]).toEqual([null, '']);
    expect(await grantEnd(refreshed)).not.toBeNull();
  });

  test.each(['{', '[]', '"text"', '{"grant_type": {"a": 1}}'])(
    'that doesn’t represent a form is rejected: %s',
    async (body) => {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(response.headers.get('cache-control')).toBe('no-store');
      await expect(response.json()).resolves.toMatchObject({ error: 'invalid_request' });
    },
  );
});

describe('a refresh token', () => {
  test('works for its client, can request fewer scopes, and later all again', async () => {
    const first = await newTokens(service.native);
    await expect(refresh(service.confidential, first)).resolves.toMatchObject({ error: 'invalid_grant' });
    const fewer = (await refresh(service.native, first, { scope: 'collaborators:read' })) as Tokens;
    expect(fewer.scope).toBe('collaborators:read');
    await expect(service.verify(fewer.access_token)).resolves.toMatchObject({ scopes: ['collaborators:read'] });
    const all = (await refresh(service.native, fewer)) as Tokens;
    expect(all.scope.split(' ')).toEqual(scopes);
    await expect(refresh(service.native, all, { scope: 'roles:write' })).resolves.toMatchObject({
      error: 'invalid_scope',
    });
    // Secret scanners recognize them, like client secrets.
    for (const secret of [first.refresh_token!, all.refresh_token!, service.confidential.secret]) {
      expect(secret).toMatch(/^cma_(cs|rt)_[0-9A-Za-z]{49}$/);
      expect(secretsIn(`token = "${secret}"`)).toHaveLength(1);
    }
  });

  test('that was just used returns the same successor, in case the response was lost', async () => {
    const first = await newTokens(service.native);
    const lostTokens = (await refresh(service.native, first)) as Tokens;
    const retried = (await refresh(service.native, first)) as Tokens;
    expect(retried.refresh_token).toBe(lostTokens.refresh_token);
    await expect(service.verify(retried.access_token)).resolves.toMatchObject({ user_id: service.ana.user_id });
    const next = (await refresh(service.native, retried)) as Tokens;
    expect(next.refresh_token).not.toBe(retried.refresh_token);
    // Even if that one was used in the meantime.
    expect(((await refresh(service.native, first)) as Tokens).refresh_token).toBe(lostTokens.refresh_token);
    expect(((await refresh(service.native, lostTokens)) as Tokens).refresh_token).toBe(next.refresh_token);
  });

  test('never branches: concurrent requests at two processes get one successor', async () => {
    const other = await otherProcess(service);
    const first = await newTokens(service.native);
    const body = { grant_type: 'refresh_token', refresh_token: first.refresh_token! };
    const requests = Array.from({ length: 6 }, (_, n) =>
      tokenRequest(n % 2 ? other.address : service.address, service.native, body),
    );
    const responses = await Promise.all((await Promise.all(requests)).map((each) => each.json() as Promise<Tokens>));
    expect(new Set(responses.map(({ refresh_token: refreshToken }) => refreshToken)).size).toBe(1);
    const count =
      "select count(*)::int from oauth_artifacts where kind = 'RefreshToken' and consumed_at is null and grant_id = $1";
    const { grant_id: grantId } = await service.verify(responses[0]!.access_token);
    expect(await service.database.query(count, [grantId])).toEqual([{ count: 1 }]);
  });

  test('stolen and used within the minute is detected, because two parties use one chain', async () => {
    const stolen = await newTokens(service.native);
    const thief = (await refresh(service.native, stolen)) as Tokens;
    const client = (await refresh(service.native, stolen)) as Tokens;
    expect(client.refresh_token).toBe(thief.refresh_token);
    await refresh(service.native, thief);
    await age(service, 'RefreshToken', 61);
    await expect(refresh(service.native, client)).resolves.toMatchObject({ error: 'invalid_grant' });
    expect(await grantEnd(thief)).not.toBeNull();
  });

  test('reused after a minute revokes its whole family', async () => {
    const first = await newTokens(service.native);
    const second = (await refresh(service.native, first)) as Tokens;
    await age(service, 'RefreshToken', 59);
    const third = (await refresh(service.native, first)) as Tokens; // doesn't start another minute
    expect(third.token_type).toBe('Bearer');
    await age(service, 'RefreshToken', 2);
    await expect(refresh(service.native, first)).resolves.toMatchObject({ error: 'invalid_grant' });
    expect(await grantEnd(first)).not.toBeNull();
    for (const each of [second, third]) {
      await expect(refresh(service.native, each)).resolves.toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('expires after 30 idle days', async () => {
    const first = await newTokens(service.native);
    await age(service, 'RefreshToken', 30 * dayS - 5);
    const second = (await refresh(service.native, first)) as Tokens;
    expect(second.token_type).toBe('Bearer');
    await age(service, 'RefreshToken', 30 * dayS);
    await expect(refresh(service.native, second)).resolves.toMatchObject({ error: 'invalid_grant' });
  });

  test('expires after 180 days regardless of use', async () => {
    let current = await newTokens(service.native);
    for (let i = 0; i < 6; i++) {
      await age(service, 'RefreshToken', 30 * dayS - 60);
      await age(service, 'Grant', 30 * dayS - 60);
      current = (await refresh(service.native, current)) as Tokens;
      expect(current.token_type).toBe('Bearer');
    }
    await age(service, 'RefreshToken', 361);
    await age(service, 'Grant', 361);
    await expect(refresh(service.native, current)).resolves.toMatchObject({ error: 'invalid_grant' });
  });
});

test('revoking a grant doesn’t affect other grants of the person, or other people’s', async () => {
  const [one, own] = [await newTokens(service.native), await newTokens(service.native)];
  const foreign = await signIn({
    ...service,
    ...service.ana,
    email: 'mariana@example.com',
    client: service.native,
    scopes,
  });
  const body = new URLSearchParams({ token: one.refresh_token!, client_id: service.native.id });
  await fetch(`${service.base_url}/oauth/revoke`, { method: 'POST', body });
  expect(await grantEnd(one)).not.toBeNull();
  for (const other of [own, foreign]) {
    expect(await grantEnd(other)).toBeNull();
    await expect(refresh(service.native, other)).resolves.toMatchObject({ token_type: 'Bearer' });
  }
});
