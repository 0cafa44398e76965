/** Linking the account of a person who joined before the provider and is in no directory, by proving the account once. */
import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../../../src/identity/passwords/passwords.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  chooseCompany,
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
  tokensAfter,
} from '../../../helpers/identity/identity-provider.ts';
import { type Browser, createBrowser, type Page } from '../../../helpers/identity/oauth.ts';
import { hashOf } from '../../../helpers/identity/people.ts';
import { type SamlProvider, samlProvider } from '../../../helpers/identity/saml-provider.ts';
import {
  allowPrivate,
  authUserOf,
  beginSignIn,
  readPeople,
  redirectUri,
  type SignIns,
  signIns,
} from './company-sign-in-people.ts';
import { throughSaml } from './saml-people.ts';

const password = 'correct horse battery staple';
const hostileAddress = 'anybody@nordwind.example';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
let hostile: IdentityProvider;
let saml: SamlProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
  hostile = await identityProvider(app, { domains: ['nordwind.example'] }, app.outsider.company_id);
  saml = await samlProvider(app, { domains: ['saml.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await hostile.close();
  await saml.close();
});

/** A member of the company with their own account. */
async function member(companyId = app.company_id) {
  const email = `${randomUUID()}@verdelog.example`;
  const userId = randomUUID();
  await app.database.query('insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)', [
    userId,
    email,
    'Inês Sá',
    await hashOf({ email: 'any', password }),
  ]);
  const person = { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
  const admin = companyId === app.company_id ? app.admin : app.outsider;
  const createdId = (await admin.post('/v1/collaborators', person).expect(201)).body.id as string;
  await app.database.query(
    "update collaborators set user_id = $2, status = 'active', accepted_at = now() where id = $1",
    [createdId, userId],
  );
  await app.database.query('insert into memberships values ($1, $2, $3)', [userId, companyId, createdId]);
  return { email, user_id: userId, id: createdId };
}

async function arrive(provider: IdentityProvider, email = 'anybody@verdelog.example') {
  const browser = createBrowser(app.base_url);
  const { url, verifier } = beginSignIn(signing);
  const chosen = await chooseCompany(browser, url, email);
  const page = await browser.open((await provider.signIn(redirectTargetOf(chosen))).href);
  return { browser, page, verifier };
}

const prove = (browser: Browser, page: Page, typed: string) =>
  browser.submit(page, page.forms.find((form) => form.has('password'))!, { password: typed });
const linksOf = (subject: string) =>
  app.database.query('select user_id from sign_in_links where subject = $1', [subject]);

test('the account’s password links the provider once, for this company only', async () => {
  const person = await member();
  const sub = randomUUID();
  idp.person = { sub, email: person.email.toUpperCase(), email_verified: true };
  const { browser, page, verifier } = await arrive(idp);
  expect([page.status, page.html]).toEqual([200, expect.stringContaining('no invitation or directory entry')]);
  const linked = await prove(browser, page, password);
  expect(linked.html).toContain('Your account is linked');
  const consent = await browser.open(app.base_url + redirectTargetOf(linked));
  const { client } = signing;
  const tokens = await tokensAfter(app, browser, consent, { client, redirect_uri: redirectUri, verifier });
  const user = await authUserOf(signing, tokens.access_token);
  expect(user.companies.map(({ id }) => id)).toEqual([app.company_id]);
  expect(user.id).not.toBe(person.user_id);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  // The account still exists, but no longer gives access to the company.
  expect(await app.database.query('select 1 from memberships where user_id = $1', [person.user_id])).toEqual([]);
  expect(await app.database.query('select 1 from users where id = $1', [person.user_id])).toHaveLength(1);
  const second = await arrive(idp);
  expect(second.page.html).toContain('Verde Logística');
  const audit = (await app.admin.get('/v1/audit?limit=100').expect(200)).body.data;
  expect(audit.map(({ action }: { action: string }) => action)).toContain('sign_in_connection.linked');
});

test('works under connection_only, where the user’s account gives no access, and with SAML', async () => {
  const person = await member();
  const policy = (only: string[]) =>
    app.database.query('update companies set policy = policy || $2::jsonb, revision = revision + 1 where id = $1', [
      app.company_id,
      JSON.stringify({ connection_only: only }),
    ]);
  await policy(['admin', 'manager', 'employee']);
  saml.person = { sub: randomUUID(), attributes: { mail: person.email } };
  const { browser, page } = await throughSaml(signing, saml, { email: 'a@saml.example' });
  const linked = await prove(browser, page, password);
  expect(linked.html).toContain('Your account is linked');
  expect((await browser.open(app.base_url + redirectTargetOf(linked))).html).toContain('Verde Logística');
  await policy([]);
});

test('doesn’t reveal whether an account exists', async () => {
  const person = await member();
  const foreign = await member(app.outsider.company_id);
  const pages: Page[] = [];
  const refused: Page[] = [];
  for (const email of [person.email, foreign.email, `${randomUUID()}@verdelog.example`]) {
    idp.person = { sub: randomUUID(), email, email_verified: true };
    const { browser, page } = await arrive(idp);
    pages.push(page);
    refused.push(await prove(browser, page, 'a wrong password'));
  }
  const tidy = ({ status, html }: Page) =>
    status +
    html
      .replaceAll(/[\w-]{36}@verdelog\.example/g, '')
      .replaceAll(/(action|value|data-options|href|content)="[^"]*"/g, '');
  expect(new Set(pages.map(tidy)).size).toBe(1);
  expect(new Set(refused.map(tidy)).size).toBe(1);
  expect(refused[0]!.status).toBe(401);
});

test('requires an active member of this company, with the email address in the claims', async () => {
  const foreign = await member(app.outsider.company_id);
  const inactive = await member();
  await app.admin.post(`/v1/collaborators/${inactive.id}/deactivate`).expect(200);
  for (const { email } of [foreign, inactive]) {
    const sub = randomUUID();
    idp.person = { sub, email, email_verified: true };
    const { browser, page } = await arrive(idp);
    const { status, html } = await prove(browser, page, password);
    expect([status, html]).toEqual([403, expect.stringContaining('no invitation or directory entry')]);
    expect(await linksOf(sub)).toEqual([]);
  }
  const { email } = await member();
  for (const claims of [{ email, email_verified: false }, { email: 'no address' }]) {
    idp.person = { sub: randomUUID(), ...claims };
    expect((await arrive(idp)).page.status).toBe(403);
  }
  // Another person's address requires that person's password.
  const other = await member();
  const sub = randomUUID();
  idp.person = { sub, email: other.email, email_verified: true };
  const { browser, page } = await arrive(idp);
  const form = page.forms.find((each) => each.has('password'))!;
  await app.database.query('update users set password_hash = $2 where id = $1', [
    other.user_id,
    await hashPassword('another password of theirs'),
  ]);
  expect((await browser.submit(page, form, { email, password })).status).toBe(401);
  expect(await linksOf(sub)).toEqual([]);
});

test('the page opens only in the browser that was sent to the provider, and limits attempts like a sign-in', async () => {
  const { email } = await member();
  idp.person = { sub: randomUUID(), email, email_verified: true };
  const { browser, page } = await arrive(idp);
  const stranger = createBrowser(app.base_url);
  expect((await stranger.open(page.url)).status).toBe(410);
  expect((await browser.open(`${page.url}x`)).status).toBe(410);
  const statuses: number[] = [];
  for (let n = 0; n < 15 && !statuses.includes(429); n++)
    statuses.push((await prove(browser, page, `wrong ${n}`)).status);
  expect(statuses.at(-1)).toBe(429);
  await app.database.query('delete from rate_limits');
});

test('requires the account’s second factor', async () => {
  const { email, user_id: userId } = await member();
  await app.database.query(
    "insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports) values ($1, $2, 'Key', $3, '', 0, '{}')",
    [randomUUID(), userId, Buffer.from(randomUUID())],
  );
  const sub = randomUUID();
  idp.person = { sub, email, email_verified: true };
  const { browser, page } = await arrive(idp);
  const confirmation = await prove(browser, page, password);
  expect(confirmation.html).toContain('Confirm it’s you');
  expect(await linksOf(sub)).toEqual([]);
});

test('a hostile company that claims an address gets a form, and even with the password no other company', async () => {
  const { email, user_id: userId } = await member();
  const sub = randomUUID();
  hostile.person = { sub, email, email_verified: true };
  const { browser, page } = await arrive(hostile, hostileAddress);
  const { status } = await prove(browser, page, password);
  expect(status).toBe(403);
  expect(await linksOf(sub)).toEqual([]);
  expect(await app.database.query('select 1 from memberships where user_id = $1', [userId])).toHaveLength(1);
});

test('concurrent proofs of the same account create one link', async () => {
  const { email } = await member();
  const subs = [randomUUID(), randomUUID()];
  const pages = [];
  for (const sub of subs) {
    idp.person = { sub, email, email_verified: true };
    pages.push(await arrive(idp));
  }
  const results = await Promise.all(pages.map(({ browser, page }) => prove(browser, page, password)));
  expect(results.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect((await Promise.all(subs.map(linksOf))).flat()).toHaveLength(1);
});
