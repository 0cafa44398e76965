/** A company's identity provider is trusted for that company only: attacks by a company with a hostile provider and directory. */
import { createHash, randomUUID } from 'node:crypto';
import { sendReset } from '../../../../src/identity/passwords/password-resets.ts';
import { createMailQueue } from '../../../../src/platform/mail/mail-queue.ts';
import { acceptByProvider } from '../../../../src/product/invitations/accept-by-provider.ts';
import { openConnection } from '../../../../src/product/sign-in-connections/connection-at-sign-in.ts';
import { createSignInSettings } from '../../../../src/product/sign-in-connections/sign-in-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  chooseCompany,
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
} from '../../../helpers/identity/identity-provider.ts';
import { createBrowser, signIn } from '../../../helpers/identity/oauth.ts';
import { addDirectory, type TestDirectory, userUrn } from '../../../helpers/resources/directories.ts';
import {
  allowPrivate,
  authUserOf,
  beginSignIn,
  directoryPerson,
  invitedPerson,
  readPeople,
  redirectUri,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';

const password = 'correct horse battery staple';
const ofVictim = 'mariana.duarte@example.com';
const hostileAddress = 'anybody@nordwind.example';

let app: TestApp;
let signing: SignIns;
let friendly: IdentityProvider;
let hostile: IdentityProvider;
let theirDirectory: TestDirectory;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  friendly = await identityProvider(app, { domains: ['verdelog.example'] });
  hostile = await identityProvider(app, { domains: ['nordwind.example'] }, app.outsider.company_id);
  theirDirectory = await addDirectory({ ...app, company_id: app.outsider.company_id });
});
afterAll(async () => {
  await app.close();
  await friendly.close();
  await hostile.close();
});
beforeEach(() => {
  for (const idp of [friendly, hostile])
    Object.assign(idp, { tamper: undefined, forgesSignature: false, person: { sub: randomUUID() } });
});

const everything = async () => {
  const tables = ['users', 'memberships', 'sign_in_links', 'oauth_grants'];
  const rows = await Promise.all(
    tables.map((table) => app.database.query(`select t::text from ${table} t order by 1`)),
  );
  return JSON.stringify(rows);
};
const atHostile = { email: hostileAddress };
/** An email address in the claims only leads to the page that requires proof of its account. */
const isUnknownPerson = ({ status, url }: { status: number; url: string }) =>
  status === 403 || (status === 200 && new URL(url).pathname.startsWith('/oauth/link-account/'));
const isRefused = (page: { status: number; location: URL | undefined }) => page.status >= 400 && !page.location;

describe('a hostile provider that impersonates a member of another company', () => {
  test.each([
    ['their address', () => ({ sub: randomUUID(), email: ofVictim, email_verified: true })],
    ['their name at their provider', () => ({ sub: randomUUID(), preferred_username: ofVictim, upn: ofVictim })],
    ['the ids of their account and record', () => ({ sub: app.admin.user_id, oid: app.admin.collaborator_id })],
  ])('gains nothing with %s', async (_name, person) => {
    const before = await everything();
    hostile.person = person();
    const { page, browser } = await throughProvider(signing, hostile, atHostile);
    expect([isUnknownPerson(page), page.html]).toEqual([
      true,
      expect.stringContaining('no invitation or directory entry'),
    ]);
    expect(await everything()).toBe(before);
    expect((await browser.open(beginSignIn(signing).url)).html).toContain('type="password"');
  });

  test('gains nothing with a subject of another provider', async () => {
    const { sub, userName } = await directoryPerson(signing);
    friendly.person = { sub };
    const { tokens } = await tokensBy(signing, friendly);
    const victim = await authUserOf(signing, tokens.access_token);
    hostile.person = { sub, preferred_username: userName, email: userName, email_verified: true };
    const before = await everything();
    expect(isUnknownPerson((await throughProvider(signing, hostile, atHostile)).page)).toBe(true);
    expect(await everything()).toBe(before);
    expect((await authUserOf(signing, tokens.access_token)).id).toBe(victim.id);
  });

  test('gets only a person of its own company by listing them in its directory', async () => {
    const sub = app.admin.user_id;
    const sent = { schemas: [userUrn], userName: ofVictim, externalId: sub, displayName: 'Mariana', active: true };
    await theirDirectory.post('/Users', sent).expect(201);
    hostile.person = { sub, email: ofVictim, email_verified: true, preferred_username: ofVictim };
    const { url, verifier } = beginSignIn(signing, ['openid', 'email', 'profile', 'collaborators:read']);
    const { browser, page } = await throughProvider(signing, hostile, { url, ...atHostile });
    expect(page.html).not.toContain('Verde Logística');
    const { location } = await browser.submit(page, page.forms.at(-1)!, {
      company: [app.company_id, app.outsider.company_id],
      action: 'allow',
    });
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: signing.client.id,
      code: location!.searchParams.get('code')!,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const tokens = (await (await fetch(`${app.base_url}/oauth/token`, { method: 'POST', body })).json()) as Record<
      string,
      string
    >;
    const user = await authUserOf(signing, tokens.access_token);
    expect(user.id).not.toBe(app.admin.user_id);
    expect(user.companies.map(({ id }) => id)).toEqual([app.outsider.company_id]);
    expect(await readPeople(signing, tokens.access_token)).toBe(403);
    // Apps identify people by these claims.
    const claims = JSON.parse(Buffer.from(tokens.id_token!.split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.id, name: 'Mariana' });
    expect(claims).not.toHaveProperty('email');
    for (const path of ['/account', '/account/password', '/account/companies', '/account/second-factor'])
      expect((await browser.open(app.base_url + path)).status).toBe(403);
    // The victim's account, companies, and password are unaffected.
    const own = await signIn({
      base_url: app.base_url,
      client: signing.client,
      redirect_uri: redirectUri,
      email: ofVictim,
      password,
      scopes: ['profile'],
    });
    const victim = await authUserOf(signing, own.access_token);
    expect([victim.id, victim.companies.map(({ id }) => id)]).toEqual([app.admin.user_id, [app.company_id]]);
  });

  test('can’t accept an invitation of another company', async () => {
    const { id, link } = await invitedPerson(signing);
    const browser = createBrowser(app.base_url);
    const page = await browser.open(link);
    const form = page.forms.at(-1)!;
    const refused = await browser.submit(page, form, { connection: hostile.connection_id });
    expect([refused.status, refused.headers.get('refresh')]).toEqual([400, null]);
    // Not even with the link, at the level of the function.
    hostile.person = { sub: randomUUID() };
    const acceptance = await acceptByProvider(
      app.database.db,
      (await openConnection(app.database.db, createSignInSettings(app.config), hostile.connection_id))!,
      link.split('/').at(-1)!,
      { ...hostile.person },
      { ip: null, user_agent: null, request_id: null },
    );
    expect(acceptance).toBe('gone');
    expect((await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.status).toBe('pending');
  });
});

describe('a provider’s response', () => {
  const start = async () => {
    const browser = createBrowser(app.base_url);
    const href = redirectTargetOf(await chooseCompany(browser, beginSignIn(signing).url, 'a@verdelog.example'));
    return { browser, href };
  };

  test('can be used once', async () => {
    const { sub } = await directoryPerson(signing);
    friendly.person = { sub };
    const { browser, href } = await start();
    const back = await friendly.signIn(href);
    expect((await browser.open(back.href)).status).toBe(200);
    expect(isRefused(await browser.open(back.href))).toBe(true);
    const second = await start();
    const other = new URL((await friendly.signIn(second.href)).href);
    other.searchParams.set('code', back.searchParams.get('code')!);
    expect(isRefused(await second.browser.open(other.href))).toBe(true);
  });

  test('works only in the browser that started the sign-in', async () => {
    const { sub } = await directoryPerson(signing);
    friendly.person = { sub };
    const own = await start();
    const back = await friendly.signIn(own.href);
    expect(isRefused(await createBrowser(app.base_url).open(back.href))).toBe(true);
    const { browser } = await start();
    expect(isRefused(await browser.open(back.href))).toBe(true);
    expect((await own.browser.open(back.href)).status).toBe(200);
  });

  test('works only for the connection that was asked (mix-up)', async () => {
    const { sub } = await directoryPerson(signing);
    hostile.person = { sub };
    const { browser, href } = await start();
    const requestedUrl = new URL(href);
    // The hostile provider redirects the browser to the other one.
    const stolen = new URL(`${hostile.issuer}/auth${requestedUrl.search}`);
    stolen.searchParams.set('redirect_uri', `${app.base_url}/oauth/connections/${hostile.connection_id}/callback`);
    const back = await hostile.signIn(stolen.href);
    expect(isRefused(await browser.open(back.href))).toBe(true);
    const atFriendly = new URL(requestedUrl.searchParams.get('redirect_uri')!);
    atFriendly.search = back.search;
    expect(isRefused(await browser.open(atFriendly.href))).toBe(true);
    // The same with the right issuer in the URL, but a code of the other provider.
    const retry = await start();
    const right = new URL((await friendly.signIn(retry.href)).href);
    right.searchParams.set('iss', hostile.issuer);
    expect(isRefused(await retry.browser.open(right.href))).toBe(true);
    const missing = await start();
    const without = new URL((await friendly.signIn(missing.href)).href);
    without.searchParams.delete('iss');
    expect(isRefused(await missing.browser.open(without.href))).toBe(true);
  });

  test.each([
    ['another nonce', { nonce: 'of another sign-in' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://accounts.google.com' }],
    ['another audience', { aud: 'somebody else' }],
    ['a token that has expired', { exp: 1 }],
    ['an invalid signature', {}],
  ])('is rejected with %s', async (name, change) => {
    const { sub } = await directoryPerson(signing);
    friendly.person = { sub };
    friendly.tamper = (payload) => ({ ...payload, ...change });
    friendly.forgesSignature = name === 'an invalid signature';
    const { page } = await throughProvider(signing, friendly);
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('Nothing was changed')]);
    expect(await app.database.query('select 1 from sign_in_links where subject = $1', [sub])).toEqual([]);
  });

  test('returns to the sign-in that was started, whatever it carries', async () => {
    const { sub } = await directoryPerson(signing);
    friendly.person = { sub };
    const { browser, href } = await start();
    const back = await friendly.signIn(href);
    for (const name of ['uid', 'return_to', 'redirect_uri', 'next', 'RelayState'])
      back.searchParams.set(name, 'https://evil.example');
    const page = await browser.open(back.href);
    expect(page.location).toBeUndefined();
    expect(new URL(page.url).pathname).toMatch(/^\/oauth\/interaction\//);
    // Its ticket opens no other sign-in, and works only once.
    const ticket = new URL(page.url).searchParams.get('provider') ?? '';
    const other = createBrowser(app.base_url);
    const login = await other.open(beginSignIn(signing).url);
    expect((await other.open(`${login.url}?provider=${ticket}`)).html).toContain('type="password"');
  });

  test('is rejected if the connection was disabled in the meantime', async () => {
    const { sub } = await directoryPerson(signing);
    friendly.person = { sub };
    const { browser, href } = await start();
    const back = await friendly.signIn(href);
    await app.database.query("update sign_in_connections set status = 'draft' where id = $1", [friendly.connection_id]);
    expect(isRefused(await browser.open(back.href))).toBe(true);
    await app.database.query("update sign_in_connections set status = 'enabled' where id = $1", [
      friendly.connection_id,
    ]);
  });
});

test('a person is bound to one subject of a provider', async () => {
  const { sub } = await directoryPerson(signing);
  friendly.person = { sub };
  await tokensBy(signing, friendly);
  friendly.person = { sub: randomUUID(), oid: sub };
  const { page } = await throughProvider(signing, friendly);
  expect([page.status, page.html]).toEqual([403, expect.stringContaining('another account of the provider')]);
});

test('people who sign in with a provider can’t use or reset a password', async () => {
  const { sub, userName } = await directoryPerson(signing);
  friendly.person = { sub };
  await tokensBy(signing, friendly);
  const [user] = await app.database.query<{ mark: string }>(
    'select password_hash as mark from users where email = $1',
    [userName],
  );
  const attempt = async (typed: string) => {
    const browser = createBrowser(app.base_url);
    const page = await browser.open(beginSignIn(signing).url);
    const form = page.forms.find((each) => each.has('email'))!;
    return browser.submit(page, form, { email: userName, password: typed, action: 'login' });
  };
  for (const typed of [user!.mark, password, createHash('sha256').update(user!.mark).digest('hex')])
    expect((await attempt(typed)).status).toBe(401);
  const browser = createBrowser(app.base_url);
  const forgot = await browser.open(`${app.base_url}/oauth/forgot`);
  await browser.submit(forgot, forgot.forms[0]!, { email: userName });
  await sendReset(app.database.db, createMailQueue(app.config.encryption_keys), app.base_url, {
    email: userName,
    language: 'en',
    requester: () => ({ requested_by: Buffer.alloc(32), known_device: false }),
  } as never);
  expect(await app.database.query('select 1 from password_resets')).toEqual([]);
});
