/** Reloading the reference page: earlier consent in this browser suffices, for this page only. */
import { referenceClientId, referenceRedirectPath } from '../../../src/identity/clients/reference-client.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Tokens,
  tokenRequest,
} from '../../helpers/identity/oauth.ts';
import { type OAuthService, oauthService } from '../service.ts';

const scopes = ['profile', 'collaborators:read'];
const client = { id: referenceClientId };

let service: OAuthService;
beforeEach(async () => {
  service = await oauthService();
});
afterEach(() => service?.close());

interface EntryOptions {
  requestedScopes?: string[];
  redirect_uri?: string;
  parameters?: Record<string, string>;
}

async function enter(
  browser: Browser,
  { requestedScopes = scopes, redirect_uri: redirectUri = ownAddress(), parameters = {} }: EntryOptions = {},
) {
  const verifier = newVerifier();
  const url = authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes: requestedScopes,
    verifier,
  });
  const authorizeUrl = new URL(url);
  for (const [name, value] of Object.entries(parameters)) authorizeUrl.searchParams.set(name, value);
  const prompts: string[] = [];
  let page = await browser.open(authorizeUrl.href);
  const end = () => page.location ?? new URL(page.url);
  while (!end().searchParams.has('code') && !end().searchParams.has('error')) {
    const form = page.forms.findLast((each) => !each.has('credential'))!;
    const { email, password } = service.ana;
    prompts.push(form.has('password') ? 'password' : 'consent');
    const values: Record<string, string | string[]> = form.has('password')
      ? { email, password, action: 'login' }
      : { company: [form.options('company')[0]!], action: 'allow' };
    page = await browser.submit(page, form, values);
  }
  const error = end().searchParams.get('error');
  if (error) return { prompts, error };
  const body = {
    grant_type: 'authorization_code',
    code: end().searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return { prompts, tokens: (await (await tokenRequest(service.base_url, client, body)).json()) as Tokens };
}

const ownAddress = () => service.base_url + referenceRedirectPath;
const silent = { parameters: { prompt: 'none' } };

test('a reload needs no consent, and keeps the same companies', async () => {
  const browser = createBrowser(service.base_url);
  expect(await enter(browser, silent)).toEqual({ prompts: [], error: 'login_required' });
  const first = await enter(browser);
  expect(first.prompts).toEqual(['password', 'consent']);
  const second = await enter(browser, silent);
  expect(second.prompts).toEqual([]);
  const [before, after] = await Promise.all([first, second].map(({ tokens }) => service.verify(tokens!.access_token)));
  expect(after).toMatchObject({ grant_id: before!.grant_id, company_ids: before!.company_ids, scopes });
  expect(after!.company_ids).toHaveLength(1);
});

test('more scopes, another port, or a request that isn’t a reload needs consent', async () => {
  const browser = createBrowser(service.base_url);
  await enter(browser);
  expect(await enter(browser, { ...silent, requestedScopes: [...scopes, 'roles:write'] })).toMatchObject({
    error: 'consent_required',
  });
  const elsewhere = `http://127.0.0.1:1${referenceRedirectPath}`;
  expect(await enter(browser, { ...silent, redirect_uri: elsewhere })).toMatchObject({ error: 'consent_required' });
  expect((await enter(browser)).prompts).toEqual(['consent']);
});

test('signing out on the page removes the consent', async () => {
  const browser = createBrowser(service.base_url);
  const { tokens } = await enter(browser);
  const body = new URLSearchParams({ client_id: client.id, token: tokens!.access_token });
  await fetch(`${service.base_url}/oauth/revoke`, { method: 'POST', body });
  expect(await enter(browser, silent)).toMatchObject({ error: 'consent_required' });
});
