/** Installing an app in a company with step-up: before and after the consent page. */
import { type TestApp, testApp } from '../helpers/app.ts';
import { authorizationUrl, createBrowser, newVerifier } from '../helpers/identity/oauth.ts';
import { addApp } from '../helpers/resources/apps.ts';
import { age } from './service.ts';

const redirectUri = 'http://127.0.0.1/callback';
const credentials = { email: 'mariana.duarte@example.com', password: 'correct horse battery staple' };
const moreThan15MinS = 901;

let app: TestApp;
let clientId: string;
beforeAll(async () => {
  app = await testApp();
  clientId = await addApp(app);
});
afterAll(() => app.close());
beforeEach(() => policy({ step_up: true }));

const policy = (set: object) =>
  app.database.query('update companies set policy = $2 where id = $1', [app.company_id, JSON.stringify(set)]);

const grants = async () =>
  (await app.database.query('select id from oauth_grants where installation_role is not null')).length;

async function signedIn() {
  const browser = createBrowser(app.base_url);
  const sendTo = (parameters = '&installation=true') =>
    browser.open(
      authorizationUrl({
        base_url: app.base_url,
        redirect_uri: redirectUri,
        client_id: clientId,
        scopes: ['profile'],
        verifier: newVerifier(),
      }) + parameters,
    );
  const login = await sendTo();
  const page = await browser.submit(login, login.forms.at(-1)!, { ...credentials, action: 'login' });
  return { browser, sendTo, page };
}

const promptsForPassword = ({ forms }: { forms: { has(name: string): boolean }[] }) =>
  forms.some((form) => form.has('password'));
const roleAndCompany = () => ({ action: 'allow', role: 'admin', company: app.company_id });

test('a recent sign-in suffices', async () => {
  const { browser, page } = await signedIn();
  const response = await browser.submit(page, page.forms.at(-1)!, roleAndCompany());
  expect(response.location?.searchParams.get('code')).toEqual(expect.any(String));
});

test('an older one leads to the sign-in page, then to consent', async () => {
  const { browser, sendTo } = await signedIn();
  await age(app, 'Session', moreThan15MinS);
  const login = await sendTo();
  expect(promptsForPassword(login)).toBe(true);
  const page = await browser.submit(login, login.forms.at(-1)!, { ...credentials, action: 'login' });
  const response = await browser.submit(page, page.forms.at(-1)!, roleAndCompany());
  expect(response.location?.searchParams.get('code')).toEqual(expect.any(String));
});

test('a page left open too long installs nothing and asks again', async () => {
  const before = await grants();
  const { browser, page } = await signedIn();
  await age(app, 'Session', moreThan15MinS);
  const login = await browser.submit(page, page.forms.at(-1)!, roleAndCompany());
  expect([promptsForPassword(login), await grants()]).toEqual([true, before]);
  const reopened = await browser.submit(login, login.forms.at(-1)!, { ...credentials, action: 'login' });
  const response = await browser.submit(reopened, reopened.forms.at(-1)!, roleAndCompany());
  expect([response.location?.searchParams.has('code'), await grants()]).toEqual([true, before + 1]);
});

test('nothing is installed without user interaction', async () => {
  const { sendTo } = await signedIn();
  const before = await grants();
  await age(app, 'Session', moreThan15MinS);
  const { location } = await sendTo('&installation=true&prompt=none');
  expect([location?.searchParams.get('error'), location?.searchParams.get('code')]).toEqual(['login_required', null]);
  expect(await grants()).toBe(before);
});

test('doesn’t apply to personal grants, or companies without the policy', async () => {
  const { sendTo } = await signedIn();
  await age(app, 'Session', moreThan15MinS);
  expect(promptsForPassword(await sendTo(''))).toBe(false);
  await policy({});
  expect(promptsForPassword(await sendTo())).toBe(false);
});
