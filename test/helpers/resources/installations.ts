/** Installs an app through the pages, as an admin does. */
import type { TestApp } from '../app.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Tokens,
  tokenRequest,
} from '../identity/oauth.ts';

const redirectUri = 'http://127.0.0.1/callback';

/** The admin's browser, which stays signed in. */
const browsers = new WeakMap<TestApp, Browser>();

interface InstallOptions {
  client: { id: string; secret: string };
  scopes: string[];
  role?: 'admin' | 'manager';
}

/** @returns the token response, which names the installation */
export async function installApp(
  app: TestApp,
  { client, scopes, role = 'manager' }: InstallOptions,
): Promise<Tokens & { installation_id: string }> {
  const verifier = newVerifier();
  const authorization = { base_url: app.base_url, redirect_uri: redirectUri, client_id: client.id, scopes, verifier };
  const browser = browsers.get(app) ?? createBrowser(app.base_url);
  browsers.set(app, browser);
  let page = await browser.open(`${authorizationUrl(authorization)}&installation=true`);
  const person = { email: 'mariana.duarte@example.com', password: 'correct horse battery staple' };
  if (page.forms[0]!.has('password')) {
    page = await browser.submit(page, page.forms[0]!, { ...person, action: 'login' });
  }
  page = await browser.submit(page, page.forms.at(-1)!, { action: 'allow', company: app.company_id, role });
  const code = page.location!.searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const response = await tokenRequest(app.base_url, client, body);
  return response.json() as Promise<Tokens & { installation_id: string }>;
}
