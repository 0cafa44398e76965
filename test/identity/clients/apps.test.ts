/** Company apps in the authorization flow: who can approve them, what the page shows, and what changing an app revokes. */
import { createPerson } from '../../../src/product/companies/companies.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
  tokenRequest,
  walkPages,
} from '../../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../../helpers/resources/apps.ts';
import { type OAuthService, oauthService, redirectUri } from '../service.ts';

const password = 'correct horse battery staple';
let service: OAuthService;
/** A member of the second company only. */
const eva = { email: 'eva@example.com', password };
beforeAll(async () => {
  service = await oauthService();
  const person = { name: 'Eva Berg', position: 'Clerk', department: 'Office', ...eva };
  await createPerson(service.database.db, service.company_ids[1], person);
});
afterAll(() => service.close());

const appOfFirst = (fields: Parameters<typeof addApp>[1] = {}) =>
  addApp({ database: service.database, company_id: service.company_ids[0] }, fields);
const approved = { visibility: 'everyone', approved_at: '2026-01-01T00:00:00.000Z' };
const urlFor = (clientId: string, scopes: string[] = ['profile'], verifier = newVerifier()) =>
  authorizationUrl({ ...service, redirect_uri: redirectUri, client_id: clientId, scopes, verifier });

/** Browsers that stay signed in, by email. */
const browsers = new Map<string, Browser>();
function browserOf(email: string): Browser {
  const browser = browsers.get(email) ?? createBrowser(service.base_url);
  browsers.set(email, browser);
  return browser;
}

/** Goes through the flow up to the consent page. */
async function consentPage(url: string, credentials: { email: string; password: string }) {
  const browser = browserOf(credentials.email);
  let page = await browser.open(url);
  if (page.forms[0]!.has('password')) {
    page = await browser.submit(page, page.forms[0]!, { ...credentials, action: 'login' });
  }
  return { browser, page, form: page.forms.at(-1)! };
}

const alertOf = ({ html }: Page) => /<p class="alert"[^>]*>(.*?)<\/p>/.exec(html)?.[1]?.replace(/<[^>]+>/g, '');

describe('a company’s app', () => {
  test('can be approved for this company only, whatever the form says', async () => {
    const client = { id: await appOfFirst(), secret: knownAppSecret };
    const { page, form } = await consentPage(urlFor(client.id), service.ana);
    expect(form.options('company')).toEqual([service.company_ids[0]]);
    expect(page.html).toContain('This app was made by <strong>Verde Logística</strong>');
    expect(alertOf(page)).toBeUndefined();
    const tokens = await signIn({
      ...service,
      ...service.ana,
      client,
      scopes: ['profile'],
      companies: service.company_ids,
      browser: browserOf(service.ana.email),
    });
    expect((await service.verify(tokens.access_token)).company_ids).toEqual([service.company_ids[0]]);
  });

  test('can’t be approved by people of other companies, even with a forged form', async () => {
    for (const fields of [{}, { visibility: 'everyone' }, { ...approved, visibility: 'company' }]) {
      const { browser, page, form } = await consentPage(urlFor(await appOfFirst(fields)), eva);
      expect(page.html).toContain('Only people of this company can use the app');
      expect(page.html).not.toContain('value="allow"');
      const forced = await browser.submit(page, form, { company: service.company_ids, action: 'allow' });
      expect(forced.location).toBeUndefined();
      const cancelled = await browser.submit(page, form, { action: 'cancel' });
      expect(cancelled.location?.searchParams.get('error')).toBe('access_denied');
    }
  });

  test('that the operator approved can be used by others, with a warning', async () => {
    const { page, form } = await consentPage(urlFor(await appOfFirst(approved)), eva);
    expect(form.options('company')).toEqual([service.company_ids[1]]);
    expect(alertOf(page)).toMatch(/^Verde Logística is not the company whose data you would share/);
  });

  test('is distinguished from a client of the operator', async () => {
    const { page } = await consentPage(urlFor(service.native.id), eva);
    expect(page.html).toContain('registered by the service operator');
    expect(alertOf(page)).toBeUndefined();
  });
});

describe('scopes', () => {
  test('beyond the registered ones are rejected', async () => {
    const id = await appOfFirst({ scopes: ['profile', 'offline_access'] });
    const { location } = await createBrowser(service.base_url).open(urlFor(id, ['profile', 'salary:read']));
    expect(location?.searchParams.get('error')).toBe('invalid_scope');
    expect(location?.searchParams.get('code')).toBeNull();
  });

  test('that were removed are missing from refreshed tokens', async () => {
    const client = { id: await appOfFirst(), secret: knownAppSecret };
    const scopes = ['profile', 'offline_access', 'collaborators:read'];
    const { refresh_token: refreshToken } = await signIn({
      ...service,
      ...service.ana,
      client,
      scopes,
      browser: browserOf(service.ana.email),
    });
    await service.database.query('update oauth_clients set scopes = $2 where id = $1', [
      client.id,
      ['profile', 'offline_access'],
    ]);
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
    const { access_token: accessToken } = (await (await tokenRequest(service.base_url, client, body)).json()) as {
      access_token: string;
    };
    expect((await service.verify(accessToken)).scopes).toEqual(['profile', 'offline_access']);
  });
});

describe('a redirect URI that was removed', () => {
  const moveApp = (id: string) =>
    service.database.query(`update oauth_clients set redirect_uris = '{https://elsewhere.example/}' where id = $1`, [
      id,
    ]);

  test('during consent receives no code', async () => {
    const id = await appOfFirst();
    const { browser, page, form } = await consentPage(urlFor(id), service.ana);
    await moveApp(id);
    for (const action of ['allow', 'cancel']) {
      const response = await browser.submit(page, form, { company: form.options('company'), action });
      expect([response.status, response.location]).toEqual([400, undefined]);
    }
  });

  test('after the code was issued invalidates the code', async () => {
    const client = { id: await appOfFirst(), secret: knownAppSecret };
    const codeVerifier = newVerifier();
    const url = urlFor(client.id, ['profile'], codeVerifier);
    const { location } = await walkPages(browserOf(service.ana.email), url, service.ana);
    await moveApp(client.id);
    const code = location.searchParams.get('code')!;
    const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const response = await tokenRequest(service.base_url, client, body);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
  });
});
