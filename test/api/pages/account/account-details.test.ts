/** Changing name, email, or password after reauthentication. */
import { eventually } from '../../../helpers/eventually.ts';
import { newVerifier, type Page, type Tokens, tokenRequest, walkPages } from '../../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService, redirectUri } from '../../../identity/service.ts';
import {
  at,
  baseUrl,
  challengeOn,
  codeOf,
  formWith,
  isConsent,
  newBrowser,
  newPerson,
  password,
  typePassword,
  url,
  withApp,
  withPasskey,
} from '../sign-in/factor-people.ts';
import { openAccount, prove, thiefOf } from './account-people.ts';

const subject = 'Confirm your new address';
const freshPassword = 'a bicycle under seven lindens';

let service: OAuthService;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await oauthService({}, baseUrl);
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});

type Person = Awaited<ReturnType<typeof newPerson>> & { key?: string };

/** Opens a page of the account and reauthenticates. @param step of the code for people with an authenticator app */
async function atPage(person: Person, path: string, step = 0): Promise<Page> {
  await openAccount(person, path);
  return prove(person, await person.browser.open(baseUrl + path), step);
}

const loginOf = async ({ id }: Person) =>
  (await service.database.query<{ email: string }>('select email from users where id = $1', [id]))[0]!.email;

async function entriesOf({ id }: Person): Promise<string[]> {
  await mailbox.done();
  const rows = await service.database.query<{ action: string }>(
    "select action from audit_log where target_id = $1 and action <> 'sign_in' order by id",
    [id],
  );
  return rows.map(({ action }) => action);
}

async function requestChange(person: Person, email: string, step = 0): Promise<Page> {
  const page = await atPage(person, '/account/address', step);
  return person.browser.submit(page, formWith(page, 'email'), { email, action: 'ask' });
}

describe('a new email', () => {
  test('works for sign-in after the link and a second reauthentication, normalized, and the old address is notified', async () => {
    const person = await newPerson(service);
    const [name] = person.email.split('@');
    const email = `${name}@xn--mnchen-3ya.example`;
    const resultPage = await requestChange(person, `\u202a${name}@münchen.example\u202c`);
    expect(resultPage.html).toContain(`We sent a link to ${email}`);
    expect(await loginOf(person)).toBe(person.email);
    const link = await mailbox.link(email, subject);
    const page = await newBrowser(service).open(link);
    expect(page.html).not.toContain(person.email);
    const browser = newBrowser(service);
    const form = await browser.open(link);
    expect((await browser.submit(form, form.forms[0]!, { password: 'a guess' })).status).toBe(401);
    expect((await browser.submit(form, form.forms[0]!, { password })).status).toBe(200);
    expect(await loginOf(person)).toBe(email);
    expect(await mailbox.subjects(person.email)).toEqual(['You now sign in with another address']);
    expect((await browser.open(link)).status).toBe(410);
    expect(await entriesOf(person)).toEqual(['sign_in_address.requested', 'sign_in_address.changed']);
    expect(isConsent(await typePassword(service, newBrowser(service), email))).toBe(true);
  });

  test('requires the second factor too, even with link and password', async () => {
    const person = await withApp(service);
    const email = person.email.replace('person', 'moved');
    await requestChange(person, email);
    const link = await mailbox.link(email, subject);
    const browser = newBrowser(service);
    const page = await browser.open(link);
    expect(page.html).not.toContain('code');
    const step = await browser.submit(page, page.forms[0]!, { password });
    expect(step.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await loginOf(person)).toBe(person.email);
    const skipped = await browser.submit(page, page.forms[0]!, { password, action: 'prove-code', code: '123456' });
    expect(skipped.status).toBe(401);
    const wrong = await browser.submit(step, formWith(step, 'code'), { code: '000000', action: 'prove-code' });
    expect([wrong.status, await loginOf(person)]).toEqual([401, person.email]);
    const values = { code: codeOf(person.key, 1), action: 'prove-code' };
    expect((await browser.submit(wrong, formWith(wrong, 'code'), values)).status).toBe(200);
    expect(await loginOf(person)).toBe(email);
    expect(await mailbox.subjects(person.email)).toContain('You now sign in with another address');
  });

  test('that two people exchange takes a third one, as the page says', async () => {
    const [one, two] = [await newPerson(service), await newPerson(service)];
    const confirm = async (email: string, link?: string) => {
      const browser = newBrowser(service);
      const page = await browser.open(link ?? (await mailbox.link(email, subject)));
      return browser.submit(page, page.forms[0]!, { password });
    };
    await requestChange(one, two.email);
    await requestChange(two, one.email);
    const linkOfTwo = await mailbox.link(one.email, subject);
    for (const page of [await confirm(two.email), await confirm(one.email, linkOfTwo)]) {
      expect(page.status).toBe(409);
      expect(page.html).toContain('Once that account has another address, open this link again.');
      expect(page.html).toContain('one of you first needs a third address');
    }
    const third = one.email.replace('person', 'third');
    await requestChange(one, third);
    expect((await confirm(third)).status).toBe(200);
    expect((await confirm(one.email, linkOfTwo)).status).toBe(200);
    await requestChange(one, two.email);
    expect((await confirm(two.email)).status).toBe(200);
    expect([await loginOf(one), await loginOf(two)]).toEqual([two.email, one.email]);
  });

  test('can’t be requested with a stolen session, even with the password, if there is a second factor', async () => {
    const person = await withApp(service);
    await openAccount(person);
    const thief = thiefOf(service, person);
    const gate = await thief.open(`${baseUrl}/account/address`);
    const values = { email: 'thief@evil.example', action: 'ask' };
    expect((await thief.submit(gate, gate.forms[0]!, values)).status).toBe(403);
    const step = await thief.submit(gate, formWith(gate, 'password'), { password, action: 'prove' });
    expect((await thief.submit(step, step.forms[0]!, values)).status).toBe(403);
    expect((await thief.open(`${baseUrl}/account/address`)).html).not.toContain('Your new address');
    expect(await mailbox.subjects('thief@evil.example')).toEqual([]);
    expect(await loginOf(person)).toBe(person.email);
  });

  test('is rejected if invalid or unchanged, and limited to five requests per day', async () => {
    const person = await newPerson(service);
    const page = await atPage(person, '/account/address');
    const send = (email: string) => person.browser.submit(page, formWith(page, 'email'), { email, action: 'ask' });
    const refused = [await send('nobody'), await send(person.email.toUpperCase()), await send('a b@example.com')];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    const hidden = await send('ana\u00adluz@example.com');
    expect([hidden.status, hidden.html]).toEqual([400, expect.stringContaining('the invisible character U+00AD')]);
    const long = await send(`${'a'.repeat(65)}@example.com`);
    expect([long.status, long.html]).toEqual([400, expect.stringContaining('valid email address')]);
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await send(`${n}.${person.email}`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await mailbox.subjects(`5.${person.email}`)).toEqual([]);
  });

  test('that belongs to another account is rejected, which only the reader of its mailbox learns', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)];
    expect((await requestChange(person, other.email)).status).toBe(200);
    const link = await mailbox.link(other.email, subject);
    const browser = newBrowser(service);
    const page = await browser.open(link);
    expect((await browser.submit(page, page.forms[0]!, { password })).status).toBe(409);
    expect([await loginOf(person), await loginOf(other)]).toEqual([person.email, other.email]);
  });

  test('has a link that works once, unmodified, and not after a later one is confirmed', async () => {
    const person = await newPerson(service);
    await requestChange(person, `one.${person.email}`);
    await requestChange(person, `two.${person.email}`);
    const [one, two] = [
      await mailbox.link(`one.${person.email}`, subject),
      await mailbox.link(`two.${person.email}`, subject),
    ];
    const browser = newBrowser(service);
    for (const altered of [`${one}=`, `${one}A`, one.slice(0, -2)]) {
      expect((await browser.open(altered)).status).toBe(410);
    }
    const page = await browser.open(two);
    await browser.submit(page, page.forms[0]!, { password });
    expect((await browser.open(one)).status).toBe(410);
    expect(await loginOf(person)).toBe(`two.${person.email}`);
  });
});

describe('a new password', () => {
  const choose = async (person: Person, values: Record<string, string>) => {
    const page = await atPage(person, '/account/password');
    return person.browser.submit(page, formWith(page, 'password_again'), { action: 'change', ...values });
  };
  const both = { password: freshPassword, password_again: freshPassword };

  test('ends all other sessions and all tokens, even a copy of this browser’s session, and sends a notification', async () => {
    const person = await newPerson(service);
    const other = { ...person, browser: newBrowser(service) };
    await openAccount(other);
    const verifier = newVerifier();
    const { location } = await walkPages(person.browser, url(service, {}, verifier), { ...person, password });
    const code = location.searchParams.get('code')!;
    const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const response = await tokenRequest(service.address, service.native, body);
    const { access_token: accessToken } = (await response.json()) as Tokens;
    await openAccount(person);
    const copy = thiefOf(service, person);
    expect((await choose(person, both)).html).toContain('Your password was changed');
    expect((await person.browser.open(`${baseUrl}/account`)).html).toContain(person.email);
    for (const browser of [other.browser, copy]) {
      expect((await browser.open(`${baseUrl}/account`)).html).toContain('to continue to');
    }
    await eventually(() => expect(service.verify(accessToken)).rejects.toMatchObject({ status: 401 }));
    expect(await mailbox.subjects(person.email)).toContain('Your password was changed');
    expect(await entriesOf(person)).toContain('password.changed');
    expect((await typePassword(service, newBrowser(service), person.email)).status).toBe(401);
    const revisit = { ...person, browser: newBrowser(service) };
    expect((await openAccount(revisit, '/account', freshPassword)).html).toContain(person.email);
  });

  test('is rejected if weak or mistyped, and nothing ends', async () => {
    const person = await newPerson(service);
    const weak = await choose(person, { password: 'password1', password_again: 'password1' });
    const page = await atPage(person, '/account/password');
    const form = formWith(page, 'password_again');
    const typed = await person.browser.submit(page, form, { ...both, password_again: 'another', action: 'change' });
    expect([weak.status, typed.status]).toEqual([400, 400]);
    expect(isConsent(await typePassword(service, newBrowser(service), person.email))).toBe(true);
  });

  test('can be set after reauthenticating with a passkey, which counts as two factors', async () => {
    const { device, id, browser, email } = await withPasskey(service);
    const fresh = newBrowser(service);
    for (const [name, cookie] of browser.cookies) if (!/proof/.test(name)) fresh.cookies.set(name, cookie);
    const gate = await fresh.open(`${baseUrl}/account/password`);
    const credential = device.signed(at(challengeOn(gate)), id);
    const page = await fresh.submit(gate, formWith(gate, 'credential'), { credential });
    const done = await fresh.submit(page, formWith(page, 'password_again'), { ...both, action: 'change' });
    expect(done.html).toContain('Your password was changed');
    const replayed = await fresh.submit(gate, formWith(gate, 'credential'), { credential });
    expect([email.length > 0, replayed.status]).toEqual([true, 401]);
  });
});

test('a new name appears in emails, and is rejected if empty, too long, or invisible', async () => {
  const person = await newPerson(service);
  const page = await atPage(person, '/account/name');
  const send = (name: string) => person.browser.submit(page, formWith(page, 'name'), { name, action: 'rename' });
  const refused = [' ', 'x'.repeat(201), 'Ana\u202eamiL', 'An\u200ba', 'Ana\nLima'];
  for (const name of refused) expect([name, (await send(name)).status]).toEqual([name, 400]);
  expect((await send('  A\u0301na Lima-Duarte\u200b')).html).toContain('Your name was changed');
  expect((await openAccount(person)).html).toContain('Ána Lima-Duarte');
  await send('Ána Lima-Duarte');
  expect(await entriesOf(person)).toEqual(['account.renamed']);
});

test('reauthentication lasts ten minutes, in its session only', async () => {
  const [person, other] = [await newPerson(service), await newPerson(service)];
  await atPage(person, '/account/name');
  await openAccount(other);
  const cookie = person.browser.cookies.get('__Host-proof')!;
  expect(cookie.attributes).toContain('Max-Age=600');
  other.browser.cookies.set('__Host-proof', cookie);
  expect((await other.browser.open(`${baseUrl}/account/name`)).html).toContain('confirm your identity');
  const needsProof = async () =>
    (await person.browser.open(`${baseUrl}/account/name`)).html.includes('confirm your identity');
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now');
  try {
    clock.mockImplementation(() => now.call(Date) + 590_000);
    expect(await needsProof()).toBe(false);
    clock.mockImplementation(() => now.call(Date) + 600_000);
    expect(await needsProof()).toBe(true);
  } finally {
    clock.mockRestore();
  }
  const [expires, seal] = cookie.value.split('_');
  const later = (Number.parseInt(expires!, 36) + 600_000).toString(36);
  person.browser.cookies.set('__Host-proof', cookie);
  expect(await needsProof()).toBe(false);
  person.browser.cookies.set('__Host-proof', { ...cookie, value: `${later}_${seal}` });
  expect(await needsProof()).toBe(true);
});
