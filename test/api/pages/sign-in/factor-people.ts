/** Helpers for tests of second factors. */
import { TOTP } from 'otpauth';
import { addFactor, factorVault } from '../../../../src/identity/factors/factors.ts';
import { addPasskey } from '../../../../src/identity/factors/passkeys.ts';
import { addTotp, newTotpSecret } from '../../../../src/identity/factors/totp.ts';
import { createPerson } from '../../../../src/product/companies/companies.ts';
import { type Ceremony, testPasskey } from '../../../helpers/identity/authenticator.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
} from '../../../helpers/identity/oauth.ts';
import { hashOf } from '../../../helpers/identity/people.ts';
import { type OAuthService, redirectUri } from '../../../identity/service.ts';

export const password = 'correct horse battery staple';
export const account = '/account/second-factor';
/** An https origin, since browsers create passkeys only in secure contexts. */
export const baseUrl = 'https://api.example';

let people = 0;

export async function newPerson(service: OAuthService): Promise<{ id: string; email: string; browser: Browser }> {
  const email = `person-${++people}@example.com`;
  const details = { name: `Person ${people}`, email, password, position: 'Planner', department: 'Ops' };
  const { user_id: userId } = await createPerson(
    service.database.db,
    service.company_ids[0]!,
    details,
    await hashOf({ email: 'any', password }),
  );
  return { id: userId, email, browser: newBrowser(service) };
}

export const newBrowser = (service: Pick<OAuthService, 'address'>) => createBrowser(baseUrl, service.address);

export function url(service: OAuthService, more: Record<string, string> = {}, verifier = newVerifier()): string {
  const clientId = service.native.id;
  const plain = new URL(
    authorizationUrl({
      base_url: baseUrl,
      client_id: clientId,
      redirect_uri: redirectUri,
      scopes: ['profile'],
      verifier,
    }),
  );
  for (const [name, value] of Object.entries(more)) plain.searchParams.set(name, value);
  return plain.href;
}

export async function typePassword(service: OAuthService, browser: Browser, email: string, more = {}): Promise<Page> {
  const page = await browser.open(url(service, more));
  return browser.submit(page, formWith(page, 'password'), { email, password, action: 'login' });
}

export function newBrowserOf(service: OAuthService, browser: Browser): Browser {
  const window = newBrowser(service);
  for (const [name, cookie] of browser.cookies) window.cookies.set(name, cookie);
  return window;
}

export function formWith(page: Page, field: string) {
  const form = page.forms.find((each) => each.has(field));
  if (!form) throw new Error(`no field ${field} at ${page.url}: ${page.status} ${page.html}`);
  return form;
}

export const isConsent = (page: Page) => page.html.includes('to act for you?');

/** The code of an authenticator app. @param steps number of 30 s steps later */
export function codeOf(key: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: key.replaceAll(' ', ''), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp,
  });
}

export const keyOn = (page: Page) => /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page.html)![1]!;
export const codesOn = (page: Page) =>
  [...page.html.matchAll(/<code>((?:\w{4}-){5}\w{4})<\/code>/g)].map(([, code]) => code!);

/** Opens the second factor page of the account, after the password. */
export async function opened(service: OAuthService, person: { email: string; browser: Browser }): Promise<Page> {
  await typePassword(service, person.browser, person.email);
  const gate = await person.browser.open(baseUrl + account);
  return person.browser.submit(gate, formWith(gate, 'password'), { password, action: 'prove' });
}

/** A person with an authenticator app and an unused current code. */
export async function withApp(service: OAuthService, existing?: Awaited<ReturnType<typeof newPerson>>) {
  const person = existing ?? (await newPerson(service));
  const { browser } = person;
  const list = await opened(service, person);
  const setUp = await browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
  const key = keyOn(setUp);
  const values = { code: codeOf(key), name: 'Phone', action: 'confirm-app' };
  const codesPage = await browser.submit(setUp, formWith(setUp, 'code'), values);
  await forgetCode(service, person.email);
  return { ...person, key, codes: codesOn(codesPage), setUp, codesPage };
}

/** Lets the code that confirmed the app be used again. An earlier code could expire before it arrives. */
export async function forgetCode({ database }: OAuthService, email: string): Promise<void> {
  const ofUser = 'user_id = (select id from users where email = $1)';
  await database.query(`update totp_factors set last_step = last_step - 1 where ${ofUser}`, [email]);
}

export const at = (challenge: string): Ceremony => ({ challenge, origin: baseUrl, rp_id: 'api.example' });

export function challengeOn(page: Page): string {
  const options = /data-options="([^"]+)"/.exec(page.html)![1]!.replaceAll('&quot;', '"');
  return JSON.parse(options).challenge;
}

export async function withPasskey(service: OAuthService) {
  const person = await newPerson(service);
  const { browser } = person;
  const device = testPasskey();
  const list = await opened(service, person);
  const sent = { credential: device.register(at(challengeOn(list))), name: 'Laptop' };
  const codesPage = await browser.submit(list, formWith(list, 'credential'), sent);
  return { ...person, device, codes: codesOn(codesPage) };
}

/** As `withApp`, without the pages that set it up. */
export async function appOwner(service: OAuthService) {
  const person = await newPerson(service);
  const key = newTotpSecret();
  const sealed = factorVault(service.config.encryption_keys);
  const app = { user_id: person.id, name: 'Phone', secret: key, step: 0 };
  const codes = await addFactor(service.database.db.global, person.id, async (tx) => {
    await addTotp(tx, sealed, app);
    return true;
  });
  return { ...person, key, codes: codes! };
}

/** As `withPasskey`, without the pages that set it up. */
export async function passkeyOwner(service: OAuthService) {
  const person = await newPerson(service);
  const device = testPasskey();
  const challenge = 'a'.repeat(43);
  const sent = device.register(at(challenge));
  const passkey = { user_id: person.id, name: 'Laptop', sent, challenge };
  const rp = { id: new URL(baseUrl).hostname, origin: baseUrl };
  const codes = await addFactor(service.database.db.global, person.id, (tx) => addPasskey(tx, rp, passkey));
  return { ...person, device, codes: codes! };
}
