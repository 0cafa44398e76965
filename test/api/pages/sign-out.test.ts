/** Browser sessions: a new one for each sign-in, and their end. */
import { authorizationUrl, type Browser, createBrowser, newVerifier, signIn } from '../../helpers/identity/oauth.ts';
import { age, type OAuthService, oauthService, redirectUri } from '../../identity/service.ts';

const scopes = ['profile', 'offline_access'];

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

function url(): string {
  const clientId = service.native.id;
  return authorizationUrl({
    ...service,
    client_id: clientId,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
}

async function signedIn() {
  const browser = createBrowser(service.base_url);
  return { browser, tokens: await signIn({ ...service, ...service.ana, client: service.native, scopes, browser }) };
}

/** A browser with a session, but no tokens. */
async function session(): Promise<Browser> {
  const browser = createBrowser(service.base_url);
  const page = await browser.open(url());
  await browser.submit(page, page.forms.at(-1)!, { ...service.ana, action: 'login' });
  return browser;
}

function signOutPage(browser: Browser) {
  return browser.open(`${service.base_url}/oauth/sign-out`);
}

test('signing out ends the session of this browser only, not grants', async () => {
  const one = await signedIn();
  const other = await session();
  const stolen = new Map(one.browser.cookies);
  const page = await signOutPage(one.browser);
  expect(page.status).toBe(200);
  expect(page.html).toContain('Ana Lima');
  expect(page.html).toContain('stay connected');
  expect((await one.browser.open(url())).html).toContain('to act for you?'); // opening the page ends nothing

  const done = await one.browser.submit(page, page.forms[0]!, {});
  expect(done.html).toContain('You are signed out');
  expect(done.headers.get('clear-site-data')).toBe('"cache", "storage"');
  expect([...one.browser.cookies.keys()].filter((name) => name.startsWith('oauth_session'))).toEqual([]);
  expect((await one.browser.open(url())).html).toContain('<h1>Sign in</h1>');
  const thief = createBrowser(service.base_url);
  for (const [name, cookie] of stolen) thief.cookies.set(name, cookie);
  expect((await thief.open(url())).html).toContain('<h1>Sign in</h1>');

  expect((await other.open(url())).html).toContain('to act for you?');
  await expect(service.verify(one.tokens.access_token)).resolves.toMatchObject({ scopes });
});

test('shows if nobody is signed in', async () => {
  const page = await signOutPage(createBrowser(service.base_url));
  expect(page.status).toBe(200);
  expect(page.forms).toEqual([]);
  expect(page.html).toContain('You are signed out');
});

test('a sign-in creates a new session, whatever cookies the browser sent', async () => {
  const attacker = await session();
  const planted = new Map([...attacker.cookies].filter(([name]) => name.startsWith('oauth_session')));
  expect(planted.size).toBe(2);
  const victim = createBrowser(service.base_url);
  for (const [name, cookie] of planted) victim.cookies.set(name, cookie);
  const before = await victim.open(`${url()}&prompt=login`);
  const email = 'mariana@example.com';
  const consent = await victim.submit(before, before.forms.at(-1)!, { ...service.ana, email, action: 'login' });
  expect(consent.html).toContain('Mariana Duarte');
  expect(victim.cookies.get('oauth_session')!.value).not.toBe(planted.get('oauth_session')!.value);
  const thief = createBrowser(service.base_url);
  for (const [name, cookie] of planted) thief.cookies.set(name, cookie);
  expect((await thief.open(url())).html).toContain('<h1>Sign in</h1>');
});

test('each further sign-in changes the session again', async () => {
  const browser = await session();
  const first = browser.cookies.get('oauth_session')!.value;
  const page = await browser.open(`${url()}&prompt=login`);
  await browser.submit(page, page.forms.at(-1)!, { ...service.ana, action: 'login' });
  const second = browser.cookies.get('oauth_session')!.value;
  expect(second).not.toBe(first);
  const thief = createBrowser(service.base_url);
  for (const [name, cookie] of browser.cookies) thief.cookies.set(name, cookie);
  thief.cookies.set('oauth_session', { ...browser.cookies.get('oauth_session')!, value: first });
  expect((await thief.open(url())).html).toContain('<h1>Sign in</h1>');
});

test('a session expires twelve hours after sign-in, however often it is used', async () => {
  const browser = await session();
  await age(service, 'Session', 6 * 3_600);
  expect((await browser.open(url())).html).toContain('to act for you?');
  await age(service, 'Session', 6 * 3_600 - 60);
  expect((await browser.open(url())).html).toContain('to act for you?');
  await age(service, 'Session', 2 * 60);
  expect((await browser.open(url())).html).toContain('<h1>Sign in</h1>');
});
