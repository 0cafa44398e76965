/** A company's limit on sign-in age, for sessions and refresh tokens, including existing ones. */
import { changeCompany } from '../../src/product/companies/change-company.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  signIn,
  type Tokens,
  tokenRequest,
} from '../helpers/identity/oauth.ts';
import { age, type OAuthService, oauthService, redirectUri } from './service.ts';

const hourS = 3_600;
const scopes = ['profile', 'offline_access'];

let service: OAuthService;
beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service.close());

let browser: Browser;
let tokens: Tokens;
beforeEach(async () => {
  await limit(0, null);
  await limit(1, null);
  browser = createBrowser(service.base_url);
  const { base_url: baseUrl, confidential, ana, company_ids: companyIds } = service;
  const signInOptions = {
    base_url: baseUrl,
    client: confidential,
    redirect_uri: redirectUri,
    ...ana,
    scopes,
    browser,
    companies: [companyIds[0]],
  };
  tokens = await signIn(signInOptions);
  await later(2 * hourS);
});

async function limit(at: 0 | 1, sessionMaxAge: number | null): Promise<void> {
  const tenant = service.database.db.tenant(service.company_ids[at]);
  await tenant.transaction((tx) => changeCompany(tx, null, { policy: { session_max_age: sessionMaxAge } }));
}

async function later(seconds: number): Promise<void> {
  for (const kind of ['Session', 'RefreshToken']) await age(service, kind, seconds);
}

async function refresh(): Promise<string> {
  const { base_url: baseUrl, confidential } = service;
  const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
  const response = (await (await tokenRequest(baseUrl, confidential, body)).json()) as { error?: string };
  return response.error ?? 'refreshed';
}

/** Whether the browser must enter a password. */
async function promptsForPassword(): Promise<boolean> {
  const { base_url: baseUrl, native } = service;
  const url = authorizationUrl({
    base_url: baseUrl,
    client_id: native.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
  return (await browser.open(url)).forms.some((form) => form.has('password'));
}

test('two hours don’t matter without a limit or with a longer one, and refreshing doesn’t renew the sign-in', async () => {
  expect([await promptsForPassword(), await refresh()]).toEqual([false, 'refreshed']);
  await limit(0, 3 * hourS);
  expect([await promptsForPassword(), await refresh()]).toEqual([false, 'refreshed']);
  await limit(0, hourS);
  expect(await refresh()).toBe('invalid_grant');
});

test('a new limit ends both immediately', async () => {
  await limit(0, hourS);
  expect([await promptsForPassword(), await refresh()]).toEqual([true, 'invalid_grant']);
});

test('another company’s limit ends the session, which covers it too, but not tokens for other companies', async () => {
  await limit(1, hourS);
  const sql = 'update collaborators set status = $2 where company_id = $1';
  await service.database.query(sql, [service.company_ids[1], 'inactive']); // they have left it
  expect(await promptsForPassword()).toBe(false);
  await service.database.query(sql, [service.company_ids[1], 'active']);
  expect([await promptsForPassword(), await refresh()]).toEqual([true, 'refreshed']);
});

test('signing in again restores access', async () => {
  await limit(0, hourS);
  const { base_url: baseUrl, confidential, ana } = service;
  tokens = await signIn({
    base_url: baseUrl,
    client: confidential,
    redirect_uri: redirectUri,
    ...ana,
    scopes,
    browser,
  });
  expect([await promptsForPassword(), await refresh()]).toEqual([false, 'refreshed']);
});
