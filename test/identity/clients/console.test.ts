/** The console's sign-in: no prompts in a signed-in browser, access to all companies, and ended by signing out of the browser. */
import { consoleClient } from '../../../src/identity/clients/console-client.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Tokens,
  tokenRequest,
} from '../../helpers/identity/oauth.ts';
import { type OAuthService, oauthService } from '../service.ts';

const scopes = ['profile', 'collaborators:read', 'webhooks:manage'];
const client = { id: consoleClient.id };

let service: OAuthService;
beforeAll(async () => {
  service = await oauthService();
});
afterAll(() => service?.close());

const redirectUri = () => service.base_url + consoleClient.redirectPath;

async function enter(browser: Browser, uri = redirectUri(), requestedScopes = scopes) {
  const verifier = newVerifier();
  const url = authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: uri,
    scopes: requestedScopes,
    verifier,
  });
  const prompts: string[] = [];
  let page = await browser.open(url);
  while (!new URL(page.url).searchParams.has('code') && !page.location) {
    const form = page.forms.findLast((each) => !each.has('credential'))!;
    const { email, password } = service.ana;
    prompts.push(form.has('password') ? 'password' : 'consent');
    const values: Record<string, string | string[]> = form.has('password')
      ? { email, password, action: 'login' }
      : { company: form.options('company'), action: 'allow' };
    page = await browser.submit(page, form, values);
  }
  const code = (page.location ?? new URL(page.url)).searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri: uri, code_verifier: verifier };
  const response = await tokenRequest(service.base_url, client, body);
  return { prompts, tokens: (await response.json()) as Tokens, status: response.status };
}

const refresh = async (refreshToken: string) => {
  const response = await tokenRequest(service.base_url, client, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  return { status: response.status, tokens: (await response.json()) as Tokens };
};

test('asks for the password only, and the second time for nothing', async () => {
  const browser = createBrowser(service.base_url);
  const first = await enter(browser);
  expect(first.prompts).toEqual(['password']);
  const second = await enter(browser);
  expect(second.prompts).toEqual([]);
  const verified = await service.verify(second.tokens.access_token);
  expect(verified).toMatchObject({ user_id: service.ana.user_id, client_id: 'console', scopes });
  expect([...verified.company_ids].sort()).toEqual([...service.company_ids].sort());
  expect(verified.grant_id).toBe((await service.verify(first.tokens.access_token)).grant_id);
});

test('another local program at a different port or path needs consent like any client', async () => {
  const browser = createBrowser(service.base_url);
  await enter(browser);
  const { prompts } = await enter(browser, `http://127.0.0.1:1${consoleClient.redirectPath}`);
  expect(prompts).toEqual(['consent']);
  const elsewhere = { ...service, client_id: client.id, scopes, verifier: newVerifier() };
  const page = await browser.open(authorizationUrl({ ...elsewhere, redirect_uri: `${service.base_url}/elsewhere` }));
  expect(page.html).toContain('invalid_redirect_uri');
});

test('refreshes its tokens until the browser signs out, which ends access too', async () => {
  const browser = createBrowser(service.base_url);
  const { tokens } = await enter(browser);
  const renewed = await refresh(tokens.refresh_token!);
  expect(renewed.status).toBe(200);
  const page = await browser.open(`${service.base_url}/oauth/sign-out`);
  await browser.submit(page, page.forms.at(-1)!, {});
  expect((await refresh(renewed.tokens.refresh_token!)).status).toBe(400);
  await expect(service.verify(renewed.tokens.access_token)).rejects.toMatchObject({ status: 401 });
  expect((await enter(browser)).prompts).toEqual(['password']);
});

test('includes a newly joined company at the next reload', async () => {
  const { db } = service.database;
  const browser = createBrowser(service.base_url);
  const { email } = service.ana;
  await db.global.deleteFrom('memberships').where('company_id', '=', service.company_ids[0]).execute();
  const before = await enter(browser);
  expect((await service.verify(before.tokens.access_token)).company_ids).toEqual([service.company_ids[1]]);
  const { id } = await db
    .tenant(service.company_ids[0])
    .selectFrom('collaborators')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await db.global
    .insertInto('memberships')
    .values({ company_id: service.company_ids[0], user_id: service.ana.user_id, collaborator_id: id })
    .execute();
  const after = await enter(browser);
  expect(after.prompts).toEqual([]);
  expect([...(await service.verify(after.tokens.access_token)).company_ids].sort()).toEqual(
    [...service.company_ids].sort(),
  );
});

test('with offline access, it needs consent like any client', async () => {
  const browser = createBrowser(service.base_url);
  const { prompts } = await enter(browser, redirectUri(), [...scopes, 'offline_access']);
  expect(prompts).toEqual(['password', 'consent']);
});
