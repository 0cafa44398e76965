/** Sign-in and consent, form by form. */
import supertest from 'supertest';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
  walkPages,
} from '../../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri } from '../../identity/service.ts';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

function url(client: { id: string }, scopes = ['profile'], more: Record<string, string> = {}): string {
  const plain = authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
  return `${plain}&${new URLSearchParams(more)}`;
}

async function signInPage(browser = createBrowser(service.base_url), client: { id: string } = service.native) {
  return { browser, page: await browser.open(url(client)) };
}

async function consentPage(browser = createBrowser(service.base_url), client: { id: string } = service.native) {
  const { page } = await signInPage(browser, client);
  return { browser, page: await login(browser, page) };
}

function login(browser: Browser, page: Page, credentials = service.ana): Promise<Page> {
  const { email, password } = credentials;
  return browser.submit(page, page.forms[0]!, { email, password, action: 'login' });
}

describe('signing in', () => {
  test('gets the same response to a wrong password, an unknown address, an account without a password, and nothing', async () => {
    await service.database.query(
      "insert into users (id, email, name) values (gen_random_uuid(), 'invited@example.com', 'Invited')",
    );
    const wrong = [
      { password: 'wrong' },
      { email: 'nobody@example.com' },
      { email: 'nobody\0@example.com' },
      { email: 'invited@example.com' },
      { email: '', password: '' },
    ];
    const { browser, page } = await signInPage();
    for (const changes of wrong) {
      const credentials = { ...service.ana, ...changes };
      const failed = await login(browser, page, credentials);
      expect(failed.status).toBe(401);
      expect(failed.html).toContain('That email address and password don’t match an account.');
      expect(failed.html).toContain('role="alert"');
      expect(failed.forms[0]!.value('email')).toBe(credentials.email.replace('\0', ''));
      expect(failed.forms[0]!.value('password')).toBe('');
    }
    expect((await login(browser, page)).html).toContain('to act for you?');
  });

  test('is case-insensitive for the email', async () => {
    const { browser, page } = await signInPage();
    const consent = await login(browser, page, { ...service.ana, email: ' \u202aANA@Example.com\u202c\u200b ' });
    expect(consent.html).toContain('to act for you?');
  });

  test('escapes what people type', async () => {
    const { browser, page } = await signInPage();
    const failed = await login(browser, page, { ...service.ana, email: '"><script>alert(1)</script>' });
    expect(failed.html).not.toContain('<script');
    expect(failed.forms[0]!.value('email')).toBe('"><script>alert(1)</script>');
  });

  test('prefills the email that the app suggests', async () => {
    const browser = createBrowser(service.base_url);
    const page = await browser.open(url(service.native, ['profile'], { login_hint: 'ana@example.com' }));
    expect(page.forms[0]!.value('email')).toBe('ana@example.com');
  });

  test('ignores Host and forwarding headers', async () => {
    // Not with fetch, which replaces Host.
    const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    const { pathname, search } = new URL(url(service.native));
    const agent = supertest(service.address);
    const { headers } = await agent
      .get(pathname + search)
      .set(forged)
      .expect(303);
    expect(headers.location).toMatch(/^\/oauth\/interaction\//);
    expect(headers['set-cookie']).toHaveLength(4);
    expect(String(headers['set-cookie'])).not.toMatch(/evil|secure/i);
    const metadata = await agent.get('/.well-known/oauth-authorization-server').set(forged).expect(200);
    expect(metadata.body.issuer).toBe(service.base_url);
    expect(metadata.text).not.toContain('evil');
  });

  test('can be canceled', async () => {
    const { browser, page } = await signInPage();
    const { location } = await browser.submit(page, page.forms[0]!, { email: '', password: '', action: 'cancel' });
    expect(location?.searchParams.get('error')).toBe('access_denied');
  });
});

describe('consent', () => {
  test('shows client, permissions, companies with roles, and redirect target', async () => {
    const browser = createBrowser(service.base_url);
    const page = await browser.open(url(service.native, ['salary:read', 'profile']));
    const consent = await login(browser, page);
    expect(consent.html).toContain('Desk &lt;App&gt;');
    expect(consent.html).toContain('See salaries');
    expect(consent.html).toContain('See your name');
    expect(consent.html).not.toContain('Stay connected');
    expect(consent.html).toMatch(/Nordwind Spedition<\/span>\s*<span[^>]*>admin</);
    expect(consent.html).toMatch(/Verde Logística<\/span>\s*<span[^>]*>employee</);
    expect(consent.html).toContain('an app on this device (127.0.0.1)');
    expect(consent.html).not.toContain('checked');
  });

  test('redirects back to the client if denied', async () => {
    const { browser, page } = await consentPage();
    const { location } = await browser.submit(page, page.forms[1]!, { action: 'cancel' });
    expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(location?.searchParams.get('error')).toBe('access_denied');
    expect(location?.searchParams.get('state')).toBe('a-state');
    expect(location?.searchParams.get('iss')).toBe(service.base_url);
  });

  test('requires a company, and accepts only the user’s own', async () => {
    const { browser, page } = await consentPage();
    const foreign = '01890000-0000-7000-8000-000000000000';
    const failed = await browser.submit(page, page.forms[1]!, { action: 'allow', company: foreign });
    expect(failed.status).toBe(400);
    expect(failed.html).toContain('Choose at least one company');
    const company = [foreign, service.company_ids[0]];
    const { location } = await browser.submit(failed, failed.forms[1]!, { action: 'allow', company });
    expect(location?.searchParams.get('code')).toBeTruthy();
    const [grant] = await service.database.query<{ company_ids: string[] }>(
      'select company_ids from oauth_grants order by created_at desc limit 1',
    );
    expect(grant!.company_ids).toEqual([service.company_ids[0]]);
  });

  test('doesn’t offer a company where the user is no longer active', async () => {
    const set = (status: string) =>
      service.database.query('update collaborators set status = $1 where company_id = $2 and user_id = $3', [
        status,
        service.company_ids[0],
        service.ana.user_id,
      ]);
    await set('inactive');
    const { page } = await consentPage();
    expect(page.html).not.toContain('Verde Logística');
    expect(page.html).toContain('checked'); // the only one left
    await set('active');
  });

  test('lets people without a company identify themselves to the client', async () => {
    const email = 'alone@example.com';
    await service.database.query(
      `insert into users (id, email, name, password_hash)
       select gen_random_uuid(), $1, 'Alone', password_hash from users where id = $2`,
      [email, service.ana.user_id],
    );
    const { password } = service.ana;
    const credentials = { email, password };
    const options = { ...service, ...credentials, client: service.native, scopes: ['profile'] };
    const { access_token: accessToken } = await signIn(options);
    await expect(service.verify(accessToken)).resolves.toMatchObject({ company_ids: [], scopes: ['profile'] });
  });

  test('can change users, who each give their own consent', async () => {
    const { browser, page } = await consentPage();
    const repeated = await browser.submit(page, page.forms[0]!, { action: 'switch' });
    expect(repeated.html).toContain('<h1>Sign in</h1>');
    const consent = await login(browser, repeated, { ...service.ana, email: 'mariana@example.com' });
    expect(consent.html).toContain('Mariana Duarte');
    expect(consent.html).not.toContain('Nordwind');
    const fresh = await browser.open(url(service.native, ['profile'], { prompt: 'login' }));
    expect((await login(browser, fresh)).html).toContain('Ana Lima');
  });
});

describe('a signed-in user', () => {
  test('isn’t asked again for a grant to a client with a secret', async () => {
    const browser = createBrowser(service.base_url);
    const first = await walkPages(browser, url(service.confidential, ['profile', 'history:read']), service.ana);
    expect(first.pages).toHaveLength(2);
    const same = await walkPages(browser, url(service.confidential, ['profile']), service.ana);
    expect(same.pages).toHaveLength(0);
    expect(same.location.searchParams.get('code')).toBeTruthy();
    const more = await walkPages(browser, url(service.confidential, ['profile', 'salary:read']), service.ana);
    expect(more.pages).toHaveLength(1);
    const lasting = await walkPages(browser, url(service.confidential, ['profile', 'offline_access']), service.ana);
    expect(lasting.pages).toHaveLength(1);
  });

  test('is asked every time by a client without a secret', async () => {
    const browser = createBrowser(service.base_url);
    await walkPages(browser, url(service.native), service.ana);
    const repeated = await walkPages(browser, url(service.native), service.ana);
    expect(repeated.pages).toHaveLength(1);
    const silent = await walkPages(browser, url(service.native, ['profile'], { prompt: 'none' }), service.ana);
    expect(silent.location.searchParams.get('error')).toBe('consent_required');
  });

  test('is asked again after the grant was revoked', async () => {
    const browser = createBrowser(service.base_url);
    const options = { ...service, ...service.ana, client: service.confidential, scopes: ['profile'], browser };
    const { access_token: accessToken } = await signIn(options);
    const { grant_id: grantId } = await service.verify(accessToken);
    const authorization = `Basic ${btoa(`${service.confidential.id}:${service.confidential.secret}`)}`;
    const body = new URLSearchParams({ token: accessToken });
    await fetch(`${service.base_url}/oauth/revoke`, { method: 'POST', body, headers: { authorization } });
    const repeated = await walkPages(browser, url(service.confidential), service.ana);
    expect(repeated.pages).toHaveLength(1);
    const [grant] = await service.database.query<{ id: string }>(
      'select id from oauth_grants order by created_at desc limit 1',
    );
    expect(grant!.id).not.toBe(grantId);
  });
});

describe('a form is rejected', () => {
  let opened: Awaited<ReturnType<typeof consentPage>>[];
  beforeAll(async () => {
    opened = [await signInPage(), await consentPage()];
  });

  test.each([
    ['without its token', {}, { csrf_token: '' }],
    ['with another token', {}, { csrf_token: 'x'.repeat(43) }],
    ['from another origin', { origin: 'https://evil.example' }, {}],
    ['from an origin that hides', { origin: 'null' }, {}],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, {}],
    ['from a neighbor', { 'sec-fetch-site': 'same-site' }, {}],
  ])('%s', async (_name, headers, hidden) => {
    for (const { browser, page } of opened) {
      const form = page.forms.at(-1)!;
      const changed = { ...form, hidden: { ...form.hidden, ...hidden } };
      const values = { ...service.ana, company: form.options('company'), action: page.forms[1] ? 'allow' : 'login' };
      const refused = await browser.submit(page, changed, values, headers as Record<string, string>);
      expect(refused.status).toBe(403);
      expect(refused.html).toContain('This form was not accepted');
    }
  });

  test('with the token of another interaction, in another browser, or the second time', async () => {
    const [one, other] = [await consentPage(), await signInPage()];
    const values = { action: 'allow', company: service.company_ids };
    const form = one.page.forms[1]!;
    const mixed = { ...form, hidden: other.page.forms[0]!.hidden };
    expect((await one.browser.submit(one.page, mixed, values)).status).toBe(403);
    const submitAgain = async (browser: Browser) => {
      const refused = await browser.submit(one.page, form, values);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('This page has expired');
    };
    await submitAgain(createBrowser(service.base_url));
    expect((await one.browser.submit(one.page, form, values)).location).toBeDefined();
    await submitAgain(one.browser);
  });

  test('if it is too large', async () => {
    const { browser, page } = await signInPage();
    const refused = await browser.submit(page, page.forms[0]!, { email: 'x'.repeat(70_000), action: 'login' });
    expect(refused.status).toBe(413);
    expect(refused.headers.get('content-type')).toContain('text/html');
  });
});

describe('cookies', () => {
  test('are inaccessible to scripts and other sites, and rejected if modified', async () => {
    const { browser } = await consentPage();
    expect([...browser.cookies.keys()].map((name) => name.replace('.sig', ''))).toContain('oauth_session');
    for (const [, { attributes }] of browser.cookies) {
      expect(attributes).toMatch(/httponly/i);
      expect(attributes).toMatch(/samesite=lax/i);
      expect(attributes).not.toMatch(/domain=/i);
    }
    const session = browser.cookies.get('oauth_session')!;
    const value = (session.value.startsWith('x') ? 'y' : 'x') + session.value.slice(1);
    browser.cookies.set('oauth_session', { ...session, value });
    expect((await browser.open(url(service.native))).html).toContain('<h1>Sign in</h1>');
  });

  test('require https if the service uses it', async () => {
    const https = await oauthService({}, 'https://api.example.test');
    try {
      const browser = createBrowser(https.base_url, https.address);
      const clientId = https.native.id;
      const options = {
        base_url: https.base_url,
        client_id: clientId,
        redirect_uri: redirectUri,
        scopes: ['profile'],
        verifier: newVerifier(),
      };
      const page = await browser.open(authorizationUrl(options));
      const consent = await browser.submit(page, page.forms[0]!, { ...https.ana, action: 'login' });
      expect(consent.html).toContain('to act for you?');
      const names = new Set([...browser.cookies.keys()].map((name) => name.replace('.sig', '')));
      const device = expect.stringMatching(/^__Host-device_[\w-]{12}$/);
      expect([...names].sort()).toEqual([device, '__Host-session', '__Secure-interaction', '__Secure-resume']);
      for (const [name, { attributes, path }] of browser.cookies) {
        expect(attributes).toMatch(/; secure/i);
        if (name.startsWith('__Host-')) expect(path).toBe('/');
      }
    } finally {
      await https.close();
    }
  });
});
