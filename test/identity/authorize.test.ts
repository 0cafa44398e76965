/** Errors of the authorization endpoint, reported to the client or to the person. */
import { type Browser, createBrowser, type Page, walkPages } from '../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri, webRedirectUri } from './service.ts';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let service: OAuthService;
/** Signed in by the first test that needs it. */
let signedIn: Browser;

beforeAll(async () => {
  service = await oauthService();
  signedIn = createBrowser(service.base_url);
});
afterAll(() => service.close());

function authorize(changes: Record<string, string | undefined>): Promise<Page> {
  return createBrowser(service.base_url).open(address(changes));
}

function address(changes: Record<string, string | undefined>): string {
  const query = {
    response_type: 'code',
    client_id: service.confidential.id,
    redirect_uri: redirectUri,
    scope: 'profile collaborators:read',
    state: 'a state & more',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${service.base_url}/oauth/authorize?${new URLSearchParams(entries)}`;
}

test('a valid request shows the sign-in page', async () => {
  const page = await authorize({});
  expect(page.status).toBe(200);
  expect(page.html).toContain('<h1>Sign in</h1>');
  expect(page.html).toContain('Payroll &amp; Co');
});

test.each(['openid email profile', 'openid phone address', '  openid   profile  ', 'profile  collaborators:read'])(
  'the scope %j shows the sign-in page',
  async (scope) => {
    const page = await authorize({ scope });
    expect([page.status, page.location]).toEqual([200, undefined]);
    expect(page.html).toContain('<h1>Sign in</h1>');
  },
);

test('an OpenID Connect client can rely on PKCE without state or nonce', async () => {
  const page = await authorize({ scope: 'openid profile', state: undefined });
  expect([page.status, page.location]).toEqual([200, undefined]);
});

describe('reported to the client', () => {
  test.each([
    ['no state', { state: undefined }, 'invalid_request'],
    ['empty state', { state: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'profile admin' }, 'invalid_scope'],
    ['a scope of claims without openid', { scope: 'profile address' }, 'invalid_scope'],
    ['an unknown scope beside openid', { scope: 'openid profile admin' }, 'invalid_scope'],
    ['scopes with a comma', { scope: 'openid,profile' }, 'invalid_scope'],
    ['scopes in lines', { scope: 'openid\nprofile' }, 'invalid_scope'],
    ['nothing but blanks', { scope: '  ' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
    ['a response in the fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['a response by POST', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['no page where one is needed', { prompt: 'none' }, 'login_required'],
  ])('%s', async (_name, changes: Record<string, string | undefined>, error) => {
    const { location } = await authorize(changes);
    expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(location?.searchParams.get('error')).toBe(error);
    expect(location?.searchParams.get('iss')).toBe(service.base_url);
    const state = 'state' in changes ? changes.state || null : 'a state & more';
    expect(location?.searchParams.get('state') || null).toBe(state);
  });
});

test.each(['token', 'id_token', 'code id_token'])(
  'rejects the response type %s in the fragment, where its clients look',
  async (responseType) => {
    const { location } = await authorize({ response_type: responseType, scope: 'openid', nonce: 'a-nonce' });
    expect(location?.href.split('#')[0]).toBe(redirectUri);
    expect(new URLSearchParams(location?.hash.slice(1)).get('error')).toBe('unsupported_response_type');
  },
);

test('names a missing response type', async () => {
  const { location } = await authorize({ response_type: undefined });
  expect(location?.searchParams.get('error_description')).toContain('response_type');
});

describe('reported to the person, without a redirect', () => {
  test.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'unknown' }],
    ['a client id that no text can be', { client_id: '\0' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1/other' }],
    ['a longer path', { redirect_uri: `${redirectUri}/more` }],
    ['another query', { redirect_uri: `${webRedirectUri}&more=1` }],
    ['the query left out', { redirect_uri: webRedirectUri.split('?')[0] }],
    ['another port, off loopback', { redirect_uri: webRedirectUri.replace('.example', '.example:8443') }],
    ['another scheme', { redirect_uri: webRedirectUri.replace('https', 'http') }],
    ['a name that only starts like loopback', { redirect_uri: 'http://127.0.0.1.evil.example/callback' }],
    ['a user name before loopback', { redirect_uri: 'http://127.0.0.1:80@evil.example/callback' }],
    ['a line break, which a parser drops', { redirect_uri: webRedirectUri.replace('example', 'exam\nple') }],
    ['several errors at once', { redirect_uri: 'https://evil.example', state: undefined, scope: undefined }],
  ])('%s', async (_name, changes: Record<string, string | undefined>) => {
    const page = await authorize(changes);
    expect(page.location).toBeUndefined();
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'none'");
    expect(page.html).toContain('This request can’t continue');
    expect(page.html).not.toContain('href="https://evil');
  });
});

describe('loopback redirect URIs', () => {
  test.each([
    'http://127.0.0.1:1234/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]:4321/callback',
    'http://localhost:8888/callback',
    webRedirectUri,
  ])('redirects to %s', async (uri) => {
    const url = address({ redirect_uri: uri });
    const { location } = await walkPages(signedIn, url, service.ana);
    expect(location.href.startsWith(uri)).toBe(true);
    expect(location.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });
});

test('an equivalent redirect URI matches', async () => {
  const uri = webRedirectUri.replace('https://', 'HTTPS://').replace('.example', '.EXAMPLE:443');
  const url = address({ redirect_uri: uri });
  const { location } = await walkPages(signedIn, url, service.ana);
  expect(location.href.startsWith(webRedirectUri)).toBe(true);
});

test('rejects other methods with 405', async () => {
  for (const [method, path] of [
    ['POST', '/oauth/authorize'],
    ['GET', '/oauth/token'],
    ['DELETE', '/oauth/revoke'],
  ] as const) {
    const response = await fetch(service.base_url + path, { method });
    expect(response.status).toBe(405);
  }
});

test('pages have a strict Content-Security-Policy', async () => {
  const { headers } = await authorize({ redirect_uri: 'http://127.0.0.1:1234/callback' });
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http://127.0.0.1:1234; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test('the style sheet is cacheable under its versioned name', async () => {
  const { html } = await authorize({});
  const href = /<link rel="stylesheet" href="([^"]+)"/.exec(html)![1]!;
  const response = await fetch(service.base_url + href);
  expect(response.headers.get('content-type')).toContain('text/css');
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('a malformed host in a redirect URI of a client doesn’t change the policy of the page', async () => {
  const uri = "https://b.example';/x";
  await service.database.query('update oauth_clients set redirect_uris = redirect_uris || $1::text where id = $2', [
    uri,
    service.confidential.id,
  ]);
  const { headers, status } = await authorize({ redirect_uri: uri });
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(/; form-action 'self' 'self'; base-uri 'none'; /);
});
