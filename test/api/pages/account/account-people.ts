/** Helpers for tests of the account pages. */
import {
  type Browser,
  newVerifier,
  type Page,
  type Tokens,
  tokenRequest,
  walkPages,
} from '../../../helpers/identity/oauth.ts';
import { type OAuthService, redirectUri } from '../../../identity/service.ts';
import { baseUrl, codeOf, formWith, newBrowser, password, url } from '../sign-in/factor-people.ts';

interface Person {
  email: string;
  browser: Browser;
  key?: string;
}

/** Opens a page of the account, and signs in if necessary. */
export async function openAccount(person: Person, path = '/account', typed = password): Promise<Page> {
  const page = await person.browser.open(baseUrl + path);
  if (!page.html.includes('to continue to')) return page;
  const values = { email: person.email, password: typed, action: 'login' };
  const next = await person.browser.submit(page, formWith(page, 'password'), values);
  if (!person.key || next.status !== 200) return next;
  return person.browser.submit(next, formWith(next, 'code'), { code: codeOf(person.key), action: 'prove-code' });
}

/** Reauthenticates if the page requires it, with password and code. @param step of that code */
export async function prove(person: Person, gate: Page, step = 0): Promise<Page> {
  if (!/Before you .+, confirm your identity/.test(gate.html)) return gate; // still valid from another page
  const next = await person.browser.submit(gate, formWith(gate, 'password'), { password, action: 'prove' });
  if (!person.key) return next;
  const values = { code: codeOf(person.key, step), action: 'prove-code' };
  return person.browser.submit(next, formWith(next, 'code'), values);
}

/** A browser with only the stolen session cookies of another one. */
export function thiefOf(service: OAuthService, { browser }: Pick<Person, 'browser'>): Browser {
  const thief = newBrowser(service);
  for (const name of ['__Host-session', '__Host-session.sig']) thief.cookies.set(name, browser.cookies.get(name)!);
  return thief;
}

/** Tokens of an app that the person allows. @param overrides overrides parameters of the authorization request */
export async function tokensOf(
  service: OAuthService,
  { email, browser, password: own = password }: Pick<Person, 'email' | 'browser'> & { password?: string },
  overrides: Record<string, string> = {},
): Promise<Tokens> {
  const verifier = newVerifier();
  const { location } = await walkPages(browser, url(service, overrides, verifier), { email, password: own });
  const body = {
    grant_type: 'authorization_code',
    code: location.searchParams.get('code')!,
    redirect_uri: redirectUri,
  };
  const response = await tokenRequest(service.address, service.native, { ...body, code_verifier: verifier });
  return (await response.json()) as Tokens;
}
