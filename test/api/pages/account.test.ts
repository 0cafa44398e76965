/** The page about one's own account, and signing out everywhere. */
import { withinSecond } from '../../helpers/eventually.ts';
import { createBrowser, signIn, tokenRequest } from '../../helpers/oauth.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const scopes = ['profile', 'offline_access'];

let service: OAuthService;
beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

async function signedIn() {
  const browser = createBrowser(service.base_url);
  return { browser, tokens: await signIn({ ...service, ...service.ana, client: service.native, scopes, browser }) };
}
const open = (browser = createBrowser(service.base_url)) => browser.open(`${service.base_url}/account`);

test('shows who one is, and in which companies; to who is not signed in, nothing', async () => {
  const { html } = await open((await signedIn()).browser);
  for (const words of ['Ana Lima', 'ana@example.com', 'Verde Logística', 'Nordwind Spedition', 'admin', 'employee']) {
    expect(html).toContain(words);
  }
  const none = await open();
  expect([none.status, none.forms]).toEqual([200, []]);
  expect(none.html).toContain('You are not signed in');
});

test('signing out everywhere ends every session, refresh token and access token within a second', async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  const page = await open(one.browser);
  const done = await one.browser.submit(page, page.forms[0]!, { action: 'sign-out-everywhere' });
  expect(done.html).toContain('You are signed out everywhere');
  for (const { browser, tokens } of [one, other]) {
    expect((await open(browser)).html).toContain('You are not signed in');
    await withinSecond(() => expect(service.verify(tokens.access_token)).rejects.toMatchObject({ status: 401 }));
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
    expect((await tokenRequest(service.base_url, service.native, body)).status).toBe(400);
  }
  const entries = await service.database.query("select actor_id from audit_log where action = 'access.revoked'");
  expect(entries).toEqual([{ actor_id: service.ana.user_id }, { actor_id: service.ana.user_id }]);
});

test('a form from elsewhere, or without the token of the page, is refused, and ends nothing', async () => {
  const { browser, tokens } = await signedIn();
  const page = await open(browser);
  const [form] = page.forms;
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const answers = [
    await browser.submit(page, form!, {}, foreign),
    await browser.submit(page, { ...form!, hidden: {} }, {}),
    await browser.submit(
      page,
      { ...form!, hidden: { csrf_token: (await open((await signedIn()).browser)).forms[0]!.hidden.csrf_token! } },
      {},
    ),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  await expect(service.verify(tokens.access_token)).resolves.toMatchObject({ scopes });
});

test('stands in no frame, and leads nowhere else', async () => {
  const { headers } = await open((await signedIn()).browser);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
});
