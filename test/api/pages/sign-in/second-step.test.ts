/** Signing in with a second factor or a passkey, and attempts to bypass it. */
import { passkeyPurpose } from '../../../../src/api/pages/sign-in/second-step.ts';
import { ticketOf } from '../../../../src/identity/factors/challenges.ts';
import { stepVault } from '../../../../src/identity/factors/factors.ts';
import { newVerifier, tokenRequest } from '../../../helpers/identity/oauth.ts';
import { age, type OAuthService, oauthService, otherProcess, redirectUri } from '../../../identity/service.ts';
import { prove } from '../account/account-people.ts';
import {
  account,
  appOwner,
  at,
  baseUrl,
  challengeOn,
  codeOf,
  codesOn,
  forgetCode,
  formWith,
  isConsent,
  keyOn,
  newBrowser,
  newBrowserOf,
  newPerson,
  opened,
  passkeyOwner,
  password,
  typePassword,
  url,
} from './factor-people.ts';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService({}, baseUrl);
});
afterAll(() => service.close());

describe('signing in', () => {
  test('accepts a code after the password once, on any process', async () => {
    const { email, key } = await appOwner(service);
    const other = await otherProcess(service);
    const code = codeOf(key);
    const browsers = [newBrowser(service), newBrowser(other)];
    const pages = await Promise.all(browsers.map((browser) => typePassword(service, browser, email)));
    for (const page of pages) expect(page.html).toContain('Confirm it’s you');
    const responses = await Promise.all(
      pages.map((page, i) => browsers[i]!.submit(page, formWith(page, 'code'), { code, action: 'prove-code' })),
    );
    expect(responses.map(isConsent).sort()).toEqual([false, true]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('accepts a recovery code once', async () => {
    const { email, codes } = await appOwner(service);
    const other = await otherProcess(service);
    const browsers = [service, other, service].map(newBrowser);
    const steps = await Promise.all(browsers.map((browser) => typePassword(service, browser, email)));
    const values = { code: codes[3]!.toLowerCase(), action: 'prove-code' };
    const raced = await Promise.all(steps.map((step, i) => browsers[i]!.submit(step, formWith(step, 'code'), values)));
    expect(raced.filter(isConsent)).toHaveLength(1);
    const second = newBrowser(service);
    const retry = await typePassword(service, second, email);
    expect((await second.submit(retry, formWith(retry, 'code'), values)).status).toBe(401);
  });

  test('accepts a passkey instead of the password, and only once', async () => {
    const { id, email, device } = await passkeyOwner(service);
    const browser = newBrowser(service);
    const page = await browser.open(url(service));
    expect(page.html).toContain('autocomplete="username webauthn"');
    const credential = device.signed(at(challengeOn(page)), id);
    const passkey = page.forms.find((form) => form.has('credential'))!;
    expect(isConsent(await browser.submit(page, passkey, { credential }))).toBe(true);
    // Replay the same response in the same sign-in and in another one.
    const thief = newBrowser(service);
    const other = await thief.open(url(service));
    const replayed = await thief.submit(other, other.forms.find((form) => form.has('credential'))!, { credential });
    expect(replayed.status).toBe(401);
    const mixed = { ...passkey, action: new URL(other.url).pathname };
    expect((await thief.submit(other, mixed, { credential })).status).toBe(403);
    const step = await typePassword(service, newBrowser(service), email);
    expect(step.html).toContain('Use your passkey, or type one of your recovery codes.');
  });

  test('rejects a passkey from people who must use the identity provider', async () => {
    const { id, device, email } = await passkeyOwner(service);
    const browser = newBrowser(service);
    const page = await browser.open(url(service));
    await service.database.query(
      "update users set password_hash = 'provider mark', only_company_id = $2 where email = $1",
      [email, service.company_ids[0]],
    );
    const credential = device.signed(at(challengeOn(page)), id);
    const passkey = page.forms.find((form) => form.has('credential'))!;
    const refused = await browser.submit(page, passkey, { credential });
    expect([refused.status, isConsent(refused)]).toEqual([401, false]);
  });

  test('rejects another person’s passkey after the password', async () => {
    const [ana, rui] = [await passkeyOwner(service), await passkeyOwner(service)];
    const browser = newBrowser(service);
    const step = await typePassword(service, browser, ana.email);
    const form = formWith(step, 'credential');
    const credential = rui.device.signed(at(challengeOn(step)), rui.id);
    const refused = await browser.submit(step, form, { credential });
    expect(refused.status).toBe(401);
    const right = ana.device.signed(at(challengeOn(refused)), ana.id);
    expect(isConsent(await browser.submit(refused, formWith(refused, 'credential'), { credential: right }))).toBe(true);
  });

  test('reports a late or replayed passkey, and accepts it on that page', async () => {
    const { id, device } = await passkeyOwner(service);
    const steps = stepVault(service.config.encryption_keys);
    const browser = newBrowser(service);
    const page = await browser.open(url(service));
    const uid = new URL(page.url).pathname.split('/').at(-1)!;
    const form = formWith(page, 'credential');
    const credential = device.signed(at(challengeOn(page)), id);
    const ticket = ticketOf(steps, passkeyPurpose({ uid }), challengeOn(page), -1);
    const late = await browser.submit(page, { ...form, hidden: { ...form.hidden, ticket } }, { credential });
    expect([late.status, late.html.includes('Use your passkey again.')]).toEqual([401, true]);
    const fresh = { credential: device.signed(at(challengeOn(late)), id) };
    expect(isConsent(await browser.submit(late, formWith(late, 'credential'), fresh))).toBe(true);
  });

  test('ends if the password has changed in the meantime', async () => {
    const { id, email, key } = await appOwner(service);
    const browser = newBrowser(service);
    const step = await typePassword(service, browser, email);
    await service.database.query("update users set password_hash = password_hash || 'x' where id = $1", [id]);
    const late = await browser.submit(step, formWith(step, 'code'), { code: codeOf(key), action: 'prove-code' });
    expect([late.status, late.html.includes('That took too long. Sign in again.')]).toEqual([401, true]);
  });
});

describe('the second factor can’t be bypassed', () => {
  test('by any sign-in form, whatever step it claims to be', async () => {
    const { email, key } = await appOwner(service);
    const browser = newBrowser(service);
    const step = await typePassword(service, browser, email);
    const form = formWith(step, 'code');
    for (const action of ['continue', 'confirm-app', 'prove-passkey', 'allow']) {
      const refused = await browser.submit(step, form, { action, code: codeOf(key), company: service.company_ids });
      expect([action, isConsent(refused), refused.location]).toEqual([action, false, undefined]);
    }
    const { uid } = /interaction\/(?<uid>[\w-]+)/.exec(step.url)!.groups!;
    const resumed = await browser.open(`${baseUrl}/oauth/authorize/${uid}`);
    expect([isConsent(resumed), resumed.location]).toEqual([false, undefined]);
    const consent = await browser.open(url(service));
    expect(isConsent(consent)).toBe(false);
  });

  test('by a session from before the factor was set up', async () => {
    const person = await newPerson(service);
    const elsewhere = newBrowser(service);
    expect(isConsent(await typePassword(service, elsewhere, person.email))).toBe(true);
    const consent = await elsewhere.open(url(service));
    expect(isConsent(consent)).toBe(true);
    const list = await opened(service, person);
    const setUp = await person.browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
    const values = { code: codeOf(keyOn(setUp)), action: 'confirm-app' };
    await person.browser.submit(setUp, formWith(setUp, 'code'), values);
    // The browser that set up the factor continues; the other one must sign in, even from an open consent page.
    expect(isConsent(await person.browser.open(url(service)))).toBe(true);
    const allowed = await elsewhere.submit(consent, consent.forms.at(-1)!, {
      action: 'allow',
      company: service.company_ids[0]!,
    });
    expect(allowed.location).toBeUndefined();
    expect(allowed.html).toContain('<h1>Sign in</h1>');
    const silent = await elsewhere.open(url(service, { prompt: 'none' }));
    expect(silent.location?.searchParams.get('error')).toBe('login_required');
  });

  test('limits code guesses across two processes even with the right password', async () => {
    const service = await oauthService({ SIGN_IN_FAILURES_PER_ACCOUNT: '2' }, baseUrl);
    try {
      const { email, key } = await appOwner(service);
      const other = await otherProcess(service);
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) {
        const browser = newBrowser(i % 2 ? other : service);
        const step = await typePassword(service, browser, email);
        const wrong = { code: codeOf(key, 100 + i), action: 'prove-code' };
        statuses.push((await browser.submit(step, formWith(step, 'code'), wrong)).status);
      }
      expect(statuses).toEqual([401, 401, 429]);
      const browser = newBrowser(service);
      const step = await typePassword(service, browser, email);
      const right = await browser.submit(step, formWith(step, 'code'), { code: codeOf(key), action: 'prove-code' });
      expect(right.status).toBe(429);
    } finally {
      await service.close();
    }
  });
});

describe('an app that requires two factors', () => {
  test('makes users set one up, and the token says how and when they signed in', async () => {
    const person = await newPerson(service);
    const { browser } = person;
    const verifier = newVerifier();
    const page = await browser.open(url(service, { acr_values: '2fa', max_age: '900' }, verifier));
    const setUp = await browser.submit(page, formWith(page, 'password'), {
      email: person.email,
      password,
      action: 'login',
    });
    expect(setUp.html).toContain('You need a second factor to continue.');
    const values = { code: codeOf(keyOn(setUp)), action: 'confirm-app' };
    const codes = await browser.submit(setUp, formWith(setUp, 'code'), values);
    expect(codesOn(codes)).toHaveLength(10);
    const consent = await browser.submit(codes, codes.forms[0]!, { action: 'continue' });
    const { location } = await browser.submit(consent, consent.forms.at(-1)!, {
      action: 'allow',
      company: service.company_ids[0]!,
    });
    const body = {
      grant_type: 'authorization_code',
      code: location!.searchParams.get('code')!,
      redirect_uri: redirectUri,
    };
    const response = await tokenRequest(service.address, service.native, { ...body, code_verifier: verifier });
    const { access_token: accessToken } = (await response.json()) as { access_token: string };
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ acr: '2fa', amr: ['pwd', 'otp', 'mfa'], auth_time: expect.any(Number) });
    expect(Math.abs(claims.auth_time - claims.iat)).toBeLessThan(600);
  });

  test('rejects a session with only a password', async () => {
    const person = await newPerson(service);
    expect(isConsent(await typePassword(service, person.browser, person.email))).toBe(true);
    expect(isConsent(await person.browser.open(url(service, { acr_values: '2fa 1fa' })))).toBe(true);
    expect(isConsent(await person.browser.open(url(service, { acr_values: '2fa' })))).toBe(false);
    const silent = await person.browser.open(
      url(service, { acr_values: '2fa', prompt: 'none', asked_acr_values: '1fa' }),
    );
    expect(silent.location?.searchParams.get('error')).toBe('login_required');
  });
});

test('a company that requires a second factor makes everyone set one up, and keeps them from removing the last', async () => {
  const person = await newPerson(service);
  const { browser, email } = person;
  expect(isConsent(await typePassword(service, browser, email))).toBe(true);
  const requireSecondFactor = (required: boolean) =>
    service.database.query('update companies set policy = $2 where id = $1', [
      service.company_ids[0],
      JSON.stringify({ require_second_factor: required }),
    ]);
  await requireSecondFactor(true);
  try {
    const retry = await browser.open(url(service));
    expect(isConsent(retry)).toBe(false);
    const values = { email, password, action: 'login' };
    const setUp = await browser.submit(retry, formWith(retry, 'password'), values);
    expect(setUp.html).toContain('You need a second factor to continue.');
    const key = keyOn(setUp);
    const confirmed = { code: codeOf(key), action: 'confirm-app' };
    const codes = await browser.submit(setUp, formWith(setUp, 'code'), confirmed);
    await forgetCode(service, email);
    expect(isConsent(await browser.submit(codes, codes.forms[0]!, { action: 'continue' }))).toBe(true);
    const gate = await browser.open(baseUrl + account);
    const list = await prove({ email, browser, key }, gate);
    const refusedRemoval = await browser.submit(list, formWith(list, 'id'), { action: 'remove' });
    expect([
      refusedRemoval.status,
      refusedRemoval.html.includes('Add another one before you remove this one.'),
    ]).toEqual([409, true]);
  } finally {
    await requireSecondFactor(false);
  }
});

test.each([['profile'], ['openid profile']])('an app that requires a fresh sign-in gets one (%s)', async (scope) => {
  const person = await newPerson(service);
  expect(isConsent(await typePassword(service, person.browser, person.email))).toBe(true);
  expect(isConsent(await person.browser.open(url(service, { scope, max_age: '600' })))).toBe(true);
  await age(service, 'Session', 700);
  const page = await person.browser.open(url(service, { scope, max_age: '600' }));
  expect(isConsent(page)).toBe(false);
  const silent = await newBrowserOf(service, person.browser).open(
    url(service, { scope, max_age: '600', prompt: 'none' }),
  );
  expect(silent.location?.searchParams.get('error')).toBe('login_required');
  const values = { email: person.email, password, action: 'login' };
  expect(isConsent(await person.browser.submit(page, formWith(page, 'password'), values))).toBe(true);
  const wrong = await person.browser.open(url(service, { scope, max_age: 'soon' }));
  expect(wrong.location?.searchParams.get('error')).toBe('invalid_request');
});
