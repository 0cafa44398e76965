/** The second factor: setting one up, signing in with it, and that nothing goes past it. */
import { TOTP } from 'otpauth';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type Ceremony, testPasskey } from '../../helpers/authenticator.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  tokenRequest,
} from '../../helpers/oauth.ts';
import { age, type OAuthService, oauthService, otherProcess, redirect_uri } from '../../identity/service.ts';

const password = 'correct horse battery staple';
const account = '/account/second-factor';
const base_url = 'https://api.example';

let service: OAuthService;
let people = 0;

beforeAll(async () => {
  service = await oauthService({}, base_url);
});
afterAll(() => service.close());

/** Somebody of their own, with a browser of their own. */
async function newPerson(): Promise<{ id: string; email: string; browser: Browser }> {
  const email = `person-${++people}@example.com`;
  const details = { name: `Person ${people}`, email, password, position: 'Planner', department: 'Ops' };
  const { user_id } = await createPerson(service.database.db, service.company_ids[0]!, details);
  return { id: user_id, email, browser: newBrowser() };
}

const newBrowser = (at = service.address) => createBrowser(base_url, at);

function url(more: Record<string, string> = {}, verifier = newVerifier()): string {
  const client_id = service.native.id;
  const plain = new URL(authorizationUrl({ base_url, client_id, redirect_uri, scopes: ['profile'], verifier }));
  for (const [name, value] of Object.entries(more)) plain.searchParams.set(name, value);
  return plain.href;
}

async function typePassword(browser: Browser, email: string, more = {}): Promise<Page> {
  const page = await browser.open(url(more));
  return browser.submit(page, formWith(page, 'password'), { email, password, action: 'login' });
}

/** Another window of the same browser. */
function newBrowserOf(browser: Browser): Browser {
  const window = newBrowser();
  for (const [name, cookie] of browser.cookies) window.cookies.set(name, cookie);
  return window;
}

function formWith(page: Page, field: string) {
  const form = page.forms.find((each) => each.has(field));
  if (!form) throw new Error(`no field ${field} at ${page.url}: ${page.status} ${page.html}`);
  return form;
}

const isConsent = (page: Page) => page.html.includes('to act for you?');

/** The code of an app. @param steps how many of 30 seconds later */
function codeOf(key: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: key.replaceAll(' ', ''), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp,
  });
}

const keyOn = (page: Page) => /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page.html)![1]!;
const codesOn = (page: Page) => [...page.html.matchAll(/<code>((?:\w{4}-){3}\w{4})<\/code>/g)].map(([, code]) => code!);

/** As `browser` at its page of the account, after the password. */
async function opened(person: { email: string; browser: Browser }): Promise<Page> {
  await typePassword(person.browser, person.email);
  const gate = await person.browser.open(base_url + account);
  return person.browser.submit(gate, formWith(gate, 'password'), { password, action: 'prove' });
}

/** Somebody with an app; its last code was that of a step before. */
async function withApp() {
  const person = await newPerson();
  const { browser } = person;
  const list = await opened(person);
  const set_up = await browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
  const key = keyOn(set_up);
  const values = { code: codeOf(key, -1), name: 'Phone', action: 'confirm-app' };
  const shown = await browser.submit(set_up, formWith(set_up, 'code'), values);
  return { ...person, key, codes: codesOn(shown), set_up, shown };
}

const at = (challenge: string): Ceremony => ({ challenge, origin: base_url, rp_id: 'api.example' });

/** The challenge of the passkey form of a page. */
function challengeOn(page: Page): string {
  const options = /data-options="([^"]+)"/.exec(page.html)![1]!.replaceAll('&quot;', '"');
  return JSON.parse(options).challenge;
}

async function withPasskey() {
  const person = await newPerson();
  const { browser } = person;
  const device = testPasskey();
  const list = await opened(person);
  const sent = { credential: device.made(at(challengeOn(list))), name: 'Laptop' };
  const shown = await browser.submit(list, formWith(list, 'credential'), sent);
  return { ...person, device, codes: codesOn(shown) };
}

describe('setting up', () => {
  test('an app: by QR code or key, confirmed with a code, and ten recovery codes are shown once', async () => {
    const { id, browser, set_up, shown, codes } = await withApp();
    expect(set_up.html).toContain('<path class="qr-modules" d="M4 4h1v1h-1z');
    expect(set_up.html).toContain('href="otpauth://totp/');
    expect(codes).toHaveLength(10);
    expect(shown.html).toContain('They are shown only now');
    const list = await browser.open(base_url + account);
    expect(list.html).toContain('Phone');
    expect(list.html).toContain('10 recovery codes are left.');
    expect(codesOn(list)).toEqual([]);
    const [entry] = await service.database.query<{ details: unknown }>(
      "select details from audit_log where target_id = $1 and action = 'second_factor.added'",
      [id],
    );
    expect(entry!.details).toEqual({ kind: 'totp' });
  });

  test('is not done with a wrong code, and the key stays the same', async () => {
    const person = await newPerson();
    const list = await opened(person);
    const set_up = await person.browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
    const wrong = { code: codeOf(keyOn(set_up), 20), action: 'confirm-app' };
    const again = await person.browser.submit(set_up, formWith(set_up, 'code'), wrong);
    expect(again.status).toBe(400);
    expect(again.html).toContain('That is not the code of this key.');
    expect(keyOn(again)).toBe(keyOn(set_up));
    expect(isConsent(await typePassword(newBrowser(), person.email))).toBe(true);
  });

  test('takes the password again, and then the factor: a session alone sees and changes nothing', async () => {
    const { browser, email, key } = await withApp();
    const thief = newBrowser();
    const anonymous = await thief.open(base_url + account);
    expect(anonymous.status).toBe(401);
    thief.cookies.set('__Host-session', browser.cookies.get('__Host-session')!);
    thief.cookies.set('__Host-session.sig', browser.cookies.get('__Host-session.sig')!);
    const gate = await thief.open(base_url + account);
    expect(gate.html).not.toContain('Phone');
    for (const action of ['set-up', 'remove', 'rename', 'renew-codes', 'add-passkey', 'confirm-app']) {
      const refused = await thief.submit(gate, gate.forms[0]!, { action, password });
      expect([refused.status, refused.html.includes('Phone')]).toEqual([403, false]);
    }
    const by_password = await thief.submit(gate, gate.forms[0]!, { action: 'prove', password });
    expect(by_password.status).toBe(401);
    const by_code = await thief.submit(gate, gate.forms[0]!, { action: 'prove', code: codeOf(key) });
    expect(by_code.html).toContain('Phone');
    expect(email).toBeTruthy();
  });

  test('a form of another site is refused, and the page can not be framed', async () => {
    const person = await newPerson();
    const list = await opened(person);
    expect(list.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(list.headers.get('content-security-policy')).toContain("script-src 'self';");
    const form = list.forms.at(-2)!;
    const foreign = await person.browser.submit(list, form, { action: 'set-up' }, { origin: 'https://evil.example' });
    const without = await person.browser.submit(list, { ...form, hidden: {} }, { action: 'set-up' });
    expect([foreign.status, without.status]).toEqual([403, 403]);
  });

  test('a factor has another name, new recovery codes end the old ones, and without it the password is enough', async () => {
    const { browser, email, codes, key } = await withApp();
    const list = await browser.open(base_url + account);
    const row = formWith(list, 'id');
    const renamed = await browser.submit(list, row, { action: 'rename', name: 'Old <phone>' });
    expect(renamed.html).toContain('Old &lt;phone&gt;');
    const fresh = codesOn(await browser.submit(renamed, renamed.forms.at(-3)!, { action: 'renew-codes' }));
    expect(fresh).toHaveLength(10);
    const other = newBrowser();
    const step = await typePassword(other, email);
    const old = await other.submit(step, formWith(step, 'code'), { code: codes[0]!, action: 'prove-code' });
    expect(old.status).toBe(401);
    const removed = await browser.submit(list, row, { action: 'remove' });
    expect(removed.html).not.toContain('Old &lt;phone&gt;');
    const late = await other.submit(old, formWith(old, 'code'), { code: codeOf(key), action: 'prove-code' });
    expect(late.status).toBe(401);
    expect(isConsent(await typePassword(newBrowser(), email))).toBe(true);
  });
});

describe('signing in', () => {
  test('takes the code after the password, once, whichever process is asked', async () => {
    const { email, key } = await withApp();
    const other = await otherProcess(service);
    const code = codeOf(key);
    const browsers = [newBrowser(), newBrowser(other.address)];
    const pages = await Promise.all(browsers.map((browser) => typePassword(browser, email)));
    for (const page of pages) expect(page.html).toContain('Confirm that it is you');
    const answers = await Promise.all(
      pages.map((page, i) => browsers[i]!.submit(page, formWith(page, 'code'), { code, action: 'prove-code' })),
    );
    expect(answers.map(isConsent).sort()).toEqual([false, true]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('takes a recovery code, once', async () => {
    const { email, codes } = await withApp();
    const browser = newBrowser();
    const step = await typePassword(browser, email);
    const values = { code: codes[3]!.toLowerCase(), action: 'prove-code' };
    expect(isConsent(await browser.submit(step, formWith(step, 'code'), values))).toBe(true);
    const second = newBrowser();
    const again = await typePassword(second, email);
    expect((await second.submit(again, formWith(again, 'code'), values)).status).toBe(401);
  });

  test('takes a passkey instead of the password, and no second one', async () => {
    const { id, email, device } = await withPasskey();
    const browser = newBrowser();
    const page = await browser.open(url());
    expect(page.html).toContain('autocomplete="username webauthn"');
    const credential = device.signed(at(challengeOn(page)), id);
    const passkey = page.forms.find((form) => form.has('credential'))!;
    expect(isConsent(await browser.submit(page, passkey, { credential }))).toBe(true);
    // The same answer once more, in the same sign-in and in another.
    const thief = newBrowser();
    const other = await thief.open(url());
    const replayed = await thief.submit(other, other.forms.find((form) => form.has('credential'))!, { credential });
    expect(replayed.status).toBe(401);
    const mixed = { ...passkey, action: new URL(other.url).pathname };
    expect((await thief.submit(other, mixed, { credential })).status).toBe(403);
    const step = await typePassword(newBrowser(), email);
    expect(step.html).toContain('Use your passkey, or type one of your recovery codes.');
  });

  test('takes no passkey of another person after the password', async () => {
    const [ana, rui] = [await withPasskey(), await withPasskey()];
    const browser = newBrowser();
    const step = await typePassword(browser, ana.email);
    const form = formWith(step, 'credential');
    const credential = rui.device.signed(at(challengeOn(step)), rui.id);
    const refused = await browser.submit(step, form, { credential });
    expect(refused.status).toBe(401);
    const right = ana.device.signed(at(challengeOn(refused)), ana.id);
    expect(isConsent(await browser.submit(refused, formWith(refused, 'credential'), { credential: right }))).toBe(true);
  });

  test('ends where the password has changed meanwhile', async () => {
    const { id, email, key } = await withApp();
    const browser = newBrowser();
    const step = await typePassword(browser, email);
    await service.database.query("update users set password_hash = password_hash || 'x' where id = $1", [id]);
    const late = await browser.submit(step, formWith(step, 'code'), { code: codeOf(key), action: 'prove-code' });
    expect([late.status, late.html.includes('That took too long. Sign in again.')]).toEqual([401, true]);
  });
});

describe('nothing goes past the second factor', () => {
  test('no form of the sign-in, whatever step it claims to be', async () => {
    const { email, key } = await withApp();
    const browser = newBrowser();
    const step = await typePassword(browser, email);
    const form = formWith(step, 'code');
    for (const action of ['continue', 'confirm-app', 'add-passkey', 'prove-passkey', 'allow', 'passkey']) {
      const refused = await browser.submit(step, form, { action, code: codeOf(key), company: service.company_ids });
      expect([action, isConsent(refused), refused.location]).toEqual([action, false, undefined]);
    }
    const { uid } = /interaction\/(?<uid>[\w-]+)/.exec(step.url)!.groups!;
    const resumed = await browser.open(`${base_url}/oauth/authorize/${uid}`);
    expect([isConsent(resumed), resumed.location]).toEqual([false, undefined]);
    const consent = await browser.open(url());
    expect(isConsent(consent)).toBe(false);
  });

  test('no session that was opened before there was a factor', async () => {
    const person = await newPerson();
    const elsewhere = newBrowser();
    expect(isConsent(await typePassword(elsewhere, person.email))).toBe(true);
    const consent = await elsewhere.open(url());
    expect(isConsent(consent)).toBe(true);
    const list = await opened(person);
    const set_up = await person.browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
    const values = { code: codeOf(keyOn(set_up)), action: 'confirm-app' };
    await person.browser.submit(set_up, formWith(set_up, 'code'), values);
    // The browser that has just proved it goes on; the other one has to sign in, also from a consent page it has open.
    expect(isConsent(await person.browser.open(url()))).toBe(true);
    const allowed = await elsewhere.submit(consent, consent.forms.at(-1)!, {
      action: 'allow',
      company: service.company_ids[0]!,
    });
    expect(allowed.location).toBeUndefined();
    expect(allowed.html).toContain('<h1>Sign in</h1>');
    const silent = await elsewhere.open(url({ prompt: 'none' }));
    expect(silent.location?.searchParams.get('error')).toBe('login_required');
  });

  test('codes are guessed no faster with the right password, over two processes', async () => {
    const strict = await oauthService({ SIGN_IN_FAILURES_PER_ACCOUNT: '4' }, base_url);
    const kept = service;
    service = strict;
    try {
      const { email, key } = await withApp();
      const other = await otherProcess(strict);
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++) {
        const browser = newBrowser(i % 2 ? other.address : strict.address);
        const step = await typePassword(browser, email);
        const wrong = { code: codeOf(key, 100 + i), action: 'prove-code' };
        statuses.push((await browser.submit(step, formWith(step, 'code'), wrong)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      const browser = newBrowser();
      const step = await typePassword(browser, email);
      const right = await browser.submit(step, formWith(step, 'code'), { code: codeOf(key), action: 'prove-code' });
      expect(right.status).toBe(429);
    } finally {
      service = kept;
      await strict.close();
    }
  });
});

describe('an app that asks for two factors', () => {
  test('gets them: who has none sets one up, and the token says how and when', async () => {
    const person = await newPerson();
    const { browser } = person;
    const verifier = newVerifier();
    const page = await browser.open(url({ acr_values: '2fa', max_age: '900' }, verifier));
    const set_up = await browser.submit(page, formWith(page, 'password'), {
      email: person.email,
      password,
      action: 'login',
    });
    expect(set_up.html).toContain('You need a second factor to go on.');
    const values = { code: codeOf(keyOn(set_up)), action: 'confirm-app' };
    const codes = await browser.submit(set_up, formWith(set_up, 'code'), values);
    expect(codesOn(codes)).toHaveLength(10);
    const consent = await browser.submit(codes, codes.forms[0]!, { action: 'continue' });
    const { location } = await browser.submit(consent, consent.forms.at(-1)!, {
      action: 'allow',
      company: service.company_ids[0]!,
    });
    const body = { grant_type: 'authorization_code', code: location!.searchParams.get('code')!, redirect_uri };
    const answer = await tokenRequest(service.address, service.native, { ...body, code_verifier: verifier });
    const { access_token } = (await answer.json()) as { access_token: string };
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ acr: '2fa', amr: ['pwd', 'otp', 'mfa'], auth_time: expect.any(Number) });
    expect(Math.abs(claims.auth_time - claims.iat)).toBeLessThan(600);
  });

  test('does not get them from a password session', async () => {
    const person = await newPerson();
    expect(isConsent(await typePassword(person.browser, person.email))).toBe(true);
    expect(isConsent(await person.browser.open(url({ acr_values: '2fa 1fa' })))).toBe(true);
    expect(isConsent(await person.browser.open(url({ acr_values: '2fa' })))).toBe(false);
    const silent = await person.browser.open(url({ acr_values: '2fa', prompt: 'none', asked_acr_values: '1fa' }));
    expect(silent.location?.searchParams.get('error')).toBe('login_required');
  });
});

test.each([['profile'], ['openid profile']])('an app that asks for a sign-in of now gets one (%s)', async (scope) => {
  const person = await newPerson();
  expect(isConsent(await typePassword(person.browser, person.email))).toBe(true);
  expect(isConsent(await person.browser.open(url({ scope, max_age: '600' })))).toBe(true);
  await age(service, 'Session', 700);
  const page = await person.browser.open(url({ scope, max_age: '600' }));
  expect(isConsent(page)).toBe(false);
  const silent = await newBrowserOf(person.browser).open(url({ scope, max_age: '600', prompt: 'none' }));
  expect(silent.location?.searchParams.get('error')).toBe('login_required');
  const values = { email: person.email, password, action: 'login' };
  expect(isConsent(await person.browser.submit(page, formWith(page, 'password'), values))).toBe(true);
  const wrong = await person.browser.open(url({ scope, max_age: 'soon' }));
  expect(wrong.location?.searchParams.get('error')).toBe('invalid_request');
});

test('the script of passkeys is a file of its own, and only where browsers make them', async () => {
  const page = await newBrowser().open(url());
  const [, address] = /<script src="([^"]+)"/.exec(page.html)!;
  const script = await fetch(service.address + address!);
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(await script.text()).toContain('SimpleWebAuthnBrowser');
  expect(page.html.match(/<script/g)).toHaveLength(1);
});
