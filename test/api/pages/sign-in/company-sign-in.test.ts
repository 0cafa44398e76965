/** Signing in with a company's identity provider. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { accessChangesApplied } from '../../../helpers/identity/access-changes.ts';
import {
  chooseCompany,
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
} from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';
import {
  allowPrivate,
  authUserOf,
  beginSignIn,
  directoryPerson,
  invitedPerson,
  readPeople,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;

describe('a person of the company’s directory', () => {
  test('signs in by the provider’s subject, becomes active, and belongs to this company only', async () => {
    const { id, sub } = await directoryPerson(signing);
    idp.person = { sub, email: 'whatever@other.example', email_verified: true };
    const { tokens, page } = await tokensBy(signing, idp);
    expect(page.html).toContain('Verde Logística');
    const user = await authUserOf(signing, tokens.access_token);
    expect(user.companies.map((company) => company.id)).toEqual([app.company_id]);
    expect(await readPeople(signing, tokens.access_token)).toBe(200);
    expect((await record(id)).status).toBe('active');
    const repeated = await tokensBy(signing, idp);
    expect((await authUserOf(signing, repeated.tokens.access_token)).id).toBe(user.id);
    const [link] = await app.database.query('select last_sign_in_at from sign_in_links where subject = $1', [sub]);
    expect(link).toEqual({ last_sign_in_at: expect.any(Date) });
    const audit = (await app.admin.get('/v1/audit?limit=100').expect(200)).body.data;
    const actions = audit.filter((entry: { target: { id: string } | null }) => entry.target?.id === id);
    expect(actions.map(({ action }: { action: string }) => action)).toContain('sign_in_connection.linked');
  });

  test('signs in by the Entra ID object id', async () => {
    const { sub, userName } = await directoryPerson(signing);
    idp.person = { sub: randomUUID(), oid: sub };
    const { tokens } = await tokensBy(signing, idp);
    expect((await authUserOf(signing, tokens.access_token)).email).toBe(userName);
  });

  test('isn’t matched by name, which people may be able to change at their provider', async () => {
    const { userName } = await directoryPerson(signing);
    idp.person = { sub: randomUUID(), preferred_username: userName, email: userName, email_verified: true };
    const { page } = await throughProvider(signing, idp);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('no invitation or directory entry')]);
    expect(page.forms.some((form) => form.has('password'))).toBe(true);
  });

  test('loses session, tokens, and sign-in when the directory deactivates them', async () => {
    const { id, sub } = await directoryPerson(signing);
    idp.person = { sub };
    const { browser, tokens } = await tokensBy(signing, idp);
    expect(await readPeople(signing, tokens.access_token)).toBe(200);
    await signing.directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }).expect(200);
    await accessChangesApplied(app);
    expect(
      (await fetch(`${app.base_url}/auth/user`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
    ).toBe(401);
    const page = await browser.open(beginSignIn(signing).url);
    expect(page.html).toContain('type="password"');
    const { page: refused } = await throughProvider(signing, idp, { browser });
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining('inactive')]);
  });

  test('signs in with the provider from then on, if they had their own account', async () => {
    const { sub, userName } = await directoryPerson(signing);
    const [person] = await app.database.query<{ id: string }>('select id from collaborators where email = $1', [
      userName,
    ]);
    const own = randomUUID();
    await app.database.query("insert into users (id, email, name, password_hash) values ($1, $2, 'Inês', 'x')", [
      own,
      userName,
    ]);
    await app.database.query(
      "update collaborators set user_id = $2, status = 'active', accepted_at = now() where id = $1",
      [person!.id, own],
    );
    await app.database.query('insert into memberships values ($1, $2, $3)', [own, app.company_id, person!.id]);
    idp.person = { sub };
    const { tokens } = await tokensBy(signing, idp);
    expect((await authUserOf(signing, tokens.access_token)).id).not.toBe(own);
    expect(await app.database.query('select 1 from memberships where user_id = $1', [own])).toEqual([]);
    expect(await app.database.query("select 1 from users where id = $1 and password_hash = 'x'", [own])).toHaveLength(
      1,
    );
  });
});

test('an invitation can be accepted once with the provider instead of a password', async () => {
  const { id, link } = await invitedPerson(signing);
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  expect(page.html).toContain('Accept with Verdelog Okta instead');
  const form = page.forms.at(-1)!;
  const redirect = await browser.submit(page, form, { connection: idp.connection_id });
  idp.person = { sub: randomUUID(), email: 'whatever@other.example' };
  const done = await browser.open((await idp.signIn(redirectTargetOf(redirect))).href);
  expect([done.status, done.html]).toEqual([200, expect.stringContaining('You have joined the company')]);
  expect((await record(id)).status).toBe('active');
  expect((await browser.open(link)).status).toBe(410);
  const { tokens } = await tokensBy(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  const names = await app.database.query(
    "select name from events where payload::text like '%' || $1 || '%' order by id",
    [id],
  );
  expect(names.map(({ name }) => name)).toContain('collaborator.invitation_accepted');
});

test('sign-in to the account offers no provider', async () => {
  const page = await createBrowser(app.base_url).open(`${app.base_url}/account`);
  expect(page.html).toContain('type="password"');
  expect(page.html).not.toContain('Sign in with your company');
});

describe('a second factor', () => {
  const policy = (change: object) => app.admin.put('/v1/company', { policy: change }).expect(200);
  afterAll(() => policy({ require_second_factor: false }));

  test('is required in addition, unless the connection trusts the provider', async () => {
    await policy({ require_second_factor: true });
    const { sub } = await directoryPerson(signing);
    idp.person = { sub, amr: ['pwd', 'mfa'] };
    const attempt = await throughProvider(signing, idp);
    expect(attempt.page.html).toContain('You need a second factor to continue');
    await app.database.query('update sign_in_connections set trusts_provider = true');
    const { tokens } = await tokensBy(signing, idp);
    const [, payload] = tokens.access_token!.split('.');
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString())).toMatchObject({
      acr: '2fa',
      amr: ['fed', 'mfa'],
    });
    idp.person = { sub, amr: ['pwd'] };
    expect((await throughProvider(signing, idp)).page.html).toContain('You need a second factor to continue');
    await app.database.query('update sign_in_connections set trusts_provider = false');
  });

  test('counts from the provider’s time if trusted, else their own is required', async () => {
    await policy({ require_second_factor: false });
    const { sub } = await directoryPerson(signing);
    idp.person = { sub };
    const repeated = beginSignIn(signing, ['profile'], { max_age: '60' });
    const untrusted = await throughProvider(signing, idp, { url: repeated.url });
    expect(idp.authorizationParams.get('prompt')).toBe('login');
    expect(untrusted.page.html).toContain('You need a second factor to continue');
    await app.database.query('update sign_in_connections set trusts_provider = true');
    const trusted = await throughProvider(signing, idp, {
      url: beginSignIn(signing, ['profile'], { max_age: '60' }).url,
    });
    expect(idp.authorizationParams.get('max_age')).toBe('60');
    expect(trusted.page.html).toContain('Allow');
    // A provider whose authentication is too old didn't do what was requested.
    idp.tamper = (payload) => ({ ...payload, auth_time: Math.floor(Date.now() / 1_000) - 3_600 });
    const old = await throughProvider(signing, idp, { url: beginSignIn(signing, ['profile'], { max_age: '60' }).url });
    expect(old.page.status).toBe(400);
    idp.tamper = undefined;
    await app.database.query('update sign_in_connections set trusts_provider = false');
  });
});

describe('the sign-in page', () => {
  test('redirects to the provider the same way for addresses with and without an account', async () => {
    await app.database.query("update sign_in_connections set sign_in = 'connection'");
    const pages = await Promise.all(
      ['mariana.duarte@verdelog.example', `${randomUUID()}@Verdelog.Example`].map(async (email) => {
        const browser = createBrowser(app.base_url);
        const page = await browser.open(beginSignIn(signing).url);
        const form = page.forms.find((each) => each.has('email'))!;
        return browser.submit(page, form, { email, password: 'a wrong password', action: 'login' });
      }),
    );
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(redirectTargetOf(page).startsWith(idp.issuer)).toBe(true);
      expect(page.html).toContain('Use a password instead');
    }
    const tidy = ({ html }: (typeof pages)[number]) => html.replace(/(href|action|content)="[^"]*"/g, '');
    expect(tidy(pages[0]!)).toBe(tidy(pages[1]!));
    await app.database.query("update sign_in_connections set sign_in = 'any'");
  });

  test('asks for the password if the address has no provider', async () => {
    const browser = createBrowser(app.base_url);
    const { url } = beginSignIn(signing);
    for (const email of ['a@example.com', 'no address', 'a@gmail.com', '']) {
      const page = await chooseCompany(browser, url, email);
      expect([page.status, page.html]).toEqual([400, expect.stringContaining('No company manages sign-in')]);
    }
  });

  test('ignores draft connections and unverified domains', async () => {
    for (const [off, on] of [
      ["update sign_in_connections set status = 'draft'", "update sign_in_connections set status = 'enabled'"],
      ['update sign_in_domains set verified_at = null', 'update sign_in_domains set verified_at = now()'],
    ] as const) {
      await app.database.query(off);
      const page = await chooseCompany(createBrowser(app.base_url), beginSignIn(signing).url, 'a@verdelog.example');
      expect(page.status).toBe(400);
      await app.database.query(on);
    }
  });
});

test('the account pages aren’t available to people of a provider', async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { browser } = await tokensBy(signing, idp);
  for (const path of [
    '/account',
    '/account/password',
    '/account/second-factor',
    '/account/companies',
    '/account/name',
  ]) {
    const page = await browser.open(app.base_url + path);
    expect([page.status, page.forms]).toEqual([403, []]);
    expect(page.html).toContain('Your company manages your sign-in');
  }
});

test('never contacts a provider in a private network', async () => {
  let questions = 0;
  const server = createServer((_req, res) => {
    questions += 1;
    res.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const strict = await testApp();
  try {
    const { port } = server.address() as AddressInfo;
    const settings = { status: 'enabled' as const, issuer: `http://127.0.0.1:${port}`, domains: ['verdelog.example'] };
    await addSignInConnection(strict, settings);
    const browser = createBrowser(strict.base_url);
    const page = await chooseCompany(browser, beginSignIn(await signIns(strict)).url, 'a@verdelog.example');
    expect([page.status, questions]).toEqual([502, 0]);
  } finally {
    await strict.close();
    await new Promise((closed) => server.close(closed));
  }
});
