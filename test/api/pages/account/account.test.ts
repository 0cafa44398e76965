/** The account page: access to it, and signing out everywhere. */
import { eventually } from '../../../helpers/eventually.ts';
import { createBrowser, tokenRequest } from '../../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../../identity/service.ts';
import { account, baseUrl, formWith, newBrowser, newPerson, password, url, withApp } from '../sign-in/factor-people.ts';
import { openAccount, prove, thiefOf, tokensOf } from './account-people.ts';

const scopes = ['profile', 'offline_access'];

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

async function signedIn() {
  const [browser, email] = [newBrowser(service), service.ana.email];
  const session = { email, browser, password: service.ana.password };
  return { browser, email, tokens: await tokensOf(service, session, { scope: scopes.join(' ') }) };
}

describe('an anonymous visitor', () => {
  test('signs in and returns to the requested page, without consent, code, or token', async () => {
    const person = await newPerson(service);
    const login = await person.browser.open(`${baseUrl}/account/name`);
    expect(login.html).toContain('to continue to <strong>your account</strong>');
    const back = await openAccount(person, '/account/name');
    expect([back.status, back.url]).toEqual([200, `${baseUrl}/account/name`]);
    const grants = await service.database.query('select id from oauth_grants where user_id = $1', [person.id]);
    expect(grants).toEqual([]);
  });

  test('can cancel, and isn’t asked again', async () => {
    const browser = newBrowser(service);
    const login = await browser.open(`${baseUrl}/account`);
    const back = await browser.submit(login, formWith(login, 'password'), { action: 'cancel' });
    expect([back.status, back.forms]).toEqual([200, []]);
    expect(back.html).toContain('You are not signed in');
  });

  test('is redirected only to pages of the account', async () => {
    const person = await newPerson(service);
    await person.browser.open(`${baseUrl}/account`);
    const authorizeUrl = new URL(`${baseUrl}/oauth/authorize?response_type=code&client_id=account-page&scope=openid`);
    authorizeUrl.searchParams.set('redirect_uri', `${baseUrl}/account`);
    authorizeUrl.searchParams.set('code_challenge', 'a'.repeat(43));
    authorizeUrl.searchParams.set('code_challenge_method', 'S256');
    for (const state of ['//evil.example', '/account/other']) {
      authorizeUrl.searchParams.set('state', state);
      const login = await person.browser.open(authorizeUrl.href);
      const form = login.forms.find((each) => each.has('password'));
      const values = { email: person.email, password, action: 'login' };
      const back = form ? await person.browser.submit(login, form, values) : login;
      expect([back.status, back.url]).toEqual([200, `${baseUrl}/account`]);
    }
  });

  test('can’t use the account’s sign-in to grant access to anything', async () => {
    const person = await newPerson(service);
    const authorizeUrl = new URL(url(service, { scope: 'profile', client_id: 'account-page' }));
    authorizeUrl.searchParams.set('redirect_uri', `${baseUrl}/account`);
    const back = await person.browser.open(authorizeUrl.href);
    expect(back.url).toContain('error=invalid_scope');
  });
});

test('shows who is signed in, and their companies', async () => {
  const { html } = await openAccount(await signedIn());
  for (const words of ['Ana Lima', 'ana@example.com', 'Verde Logística', 'Nordwind Spedition', 'admin', 'employee']) {
    expect(html).toContain(words);
  }
});

describe('a session older than its person’s second factor', () => {
  test('shows and ends nothing, and leads to sign-in with the factor', async () => {
    const person = await newPerson(service);
    await openAccount(person);
    const before = thiefOf(service, person);
    const form = formWith(await before.open(`${baseUrl}/account`), 'csrf_token');
    // The person sets up an app in another browser.
    const { key } = await withApp(service, { ...person, browser: newBrowser(service) });
    const page = await before.open(`${baseUrl}/account`);
    expect(page.html).not.toContain(person.email);
    expect(formWith(page, 'password')).toBeTruthy();
    const ended = await before.submit({ ...page, url: `${baseUrl}/account` }, form, { action: 'sign-out-everywhere' });
    expect(ended.html).toContain('to continue to');
    const values = { email: person.email, password, action: 'login' };
    const step = await before.submit(ended, formWith(ended, 'password'), values);
    expect(step.html).toContain('Type the code that your authenticator app shows');
    expect((await openAccount({ ...person, browser: before, key })).html).toContain(person.email);
  });

  test('of a company that requires one leads to its setup', async () => {
    const person = await newPerson(service);
    await openAccount(person);
    const policy = (value: string) =>
      service.database.query('update companies set policy = $2 where id = $1', [service.company_ids[0], value]);
    await policy('{"require_second_factor": true}');
    try {
      const page = await openAccount(person);
      expect(page.html).toContain('You need a second factor to continue.');
    } finally {
      await policy('{}');
    }
  });
});

test('signing out everywhere ends all sessions, refresh tokens, and access tokens within a second', async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  const page = await openAccount(one);
  const done = await one.browser.submit(page, page.forms[0]!, { action: 'sign-out-everywhere' });
  expect(done.html).toContain('You are signed out everywhere');
  for (const { browser, tokens } of [one, other]) {
    expect((await browser.open(`${baseUrl}/account`)).html).toContain('to continue to');
    await eventually(() => expect(service.verify(tokens.access_token)).rejects.toMatchObject({ status: 401 }));
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
    expect((await tokenRequest(service.address, service.native, body)).status).toBe(400);
  }
  await mailbox.done();
  const entries = await service.database.query("select actor_id from audit_log where action = 'access.revoked'");
  expect(entries).toEqual([{ actor_id: service.ana.user_id }, { actor_id: service.ana.user_id }]);
});

describe('every account page', () => {
  const withProof = ['/account/name', '/account/address', '/account/password', '/account/companies', account];
  const paths = [...withProof, '/account', '/account/devices'];

  test('rejects forms from other sites and forms without its token, and can’t be framed', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)];
    for (const path of paths) {
      const page = await openAccount(person, path);
      expect([page.url, page.headers.get('x-frame-options')]).toEqual([baseUrl + path, 'DENY']);
      expect(page.headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
      );
      expect(page.headers.get('cache-control')).toBe('no-store, no-transform');
      const [form] = page.forms;
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const { csrf_token: csrfToken } = (await openAccount(other, path)).forms[0]!.hidden;
      const responses = [
        await person.browser.submit(page, form!, {}, foreign),
        await person.browser.submit(page, { ...form!, hidden: {} }, {}),
        await person.browser.submit(page, { ...form!, hidden: { csrf_token: csrfToken! } }, {}),
      ];
      expect([path, ...responses.map(({ status }) => status)]).toEqual([path, 403, 403, 403]);
    }
  });

  test('shows and does nothing for a stolen session, whatever is sent', async () => {
    const person = await withApp(service);
    const stored = (id: string) =>
      service.database.query(
        `select u::text, (select count(*) from totp_factors where user_id = u.id) as factors,
           (select count(*) from memberships where user_id = u.id) as companies from users u where id = $1`,
        [id],
      );
    const thief = thiefOf(service, person);
    for (const path of withProof) {
      const proved = await prove(person, await person.browser.open(baseUrl + path), 1);
      expect(proved.url).toBe(baseUrl + path);
      const before = await stored(person.id);
      expect(before).toMatchObject([{ factors: '1', companies: '1' }]);
      const gate = await thief.open(baseUrl + path);
      expect([path, gate.html]).toEqual([path, expect.stringContaining('confirm your identity')]);
      const values = {
        name: 'Thief',
        email: 'thief@evil.example',
        password: 'of the thief alone',
        password_again: 'x',
      };
      for (const action of ['rename', 'ask', 'change', 'set-up', 'remove', 'leave-now', '']) {
        const refused = await thief.submit(gate, formWith(gate, 'password'), { ...values, action });
        expect([path, action, refused.status]).toEqual([path, action, 403]);
      }
      const guessed = await thief.submit(gate, formWith(gate, 'password'), { password: 'a guess', action: 'prove' });
      expect(guessed.status).toBe(401);
      expect(await stored(person.id)).toEqual(before);
    }
  });
});

test('if browsers can’t be redirected back, the page says where to sign in', async () => {
  const plain = await oauthService({}, 'http://people.internal');
  try {
    const page = await createBrowser('http://people.internal', plain.address).open('http://people.internal/account');
    expect([page.status, page.forms]).toEqual([401, []]);
    expect(page.html).toContain('Open the app that you work with and sign in there.');
  } finally {
    await plain.close();
  }
});
