/** The age of a sign-in by a provider, whose own session may be older than sessions here may be. */
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
  tokensAfter,
} from '../../../helpers/identity/identity-provider.ts';
import { type SamlProvider, samlProvider } from '../../../helpers/identity/saml-provider.ts';
import {
  allowPrivate,
  beginSignIn,
  directoryPerson,
  readPeople,
  redirectUri,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';
import { post, throughSaml } from './saml-people.ts';

const hourS = 3_600;

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
let saml: SamlProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'], trusts_provider: true });
  saml = await samlProvider(app, { domains: ['saml.verdelog.example'], trusts_provider: true });
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await saml.close();
});
const limit = (sessionMaxAge: number | null) =>
  app.admin.put('/v1/company', { policy: { session_max_age: sessionMaxAge } }).expect(200);
const nowS = () => Math.floor(Date.now() / 1_000);

test('asks the provider to sign the person in again after a working day', async () => {
  await limit(null);
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const ofSession = nowS() - 13 * hourS;
  idp.tamper = (payload) =>
    idp.authorizationParams.get('prompt') === 'login' ? payload : { ...payload, auth_time: ofSession };
  const { url, verifier } = beginSignIn(signing);
  const { browser, page } = await throughProvider(signing, idp, { url });
  const back = await idp.signIn(redirectTargetOf(page));
  const consent = await browser.open(back.href);
  const [session] = await app.database.query<{ lasts: boolean }>(
    "select expires_at > now() + interval '11 hours' as lasts from oauth_artifacts where kind = 'Session' order by expires_at desc",
  );
  expect(session).toEqual({ lasts: true });
  const { client } = signing;
  const tokens = await tokensAfter(app, browser, consent, { client, redirect_uri: redirectUri, verifier });
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  // A provider that doesn't do it is refused.
  idp.tamper = (payload) => ({ ...payload, auth_time: ofSession });
  const ignored = await throughProvider(signing, idp);
  const old = await ignored.browser.open((await idp.signIn(redirectTargetOf(ignored.page))).href);
  expect([old.status, old.html]).toEqual([400, expect.stringContaining('Nothing was changed')]);
});

test('asks a SAML provider to sign the person in again', async () => {
  await limit(null);
  const { sub } = await directoryPerson(signing);
  saml.person = { sub };
  saml.tamper = (contents) => ({ ...contents, authenticated_at: Date.now() - 13 * hourS * 1_000 });
  const { browser, page } = await throughSaml(signing, saml, { email: 'anybody@saml.verdelog.example' });
  const href = redirectTargetOf(page);
  expect(saml.read(href).xml).toContain('ForceAuthn="true"');
  saml.tamper = undefined;
  const consent = await post(browser, saml.respond(href));
  expect([consent.status, consent.html]).toEqual([200, expect.stringContaining('Allow')]);
});

test('a session of the provider that is younger than the company’s limit is used, and no older one', async () => {
  await limit(8 * hourS);
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  idp.tamper = (payload) => ({ ...payload, auth_time: nowS() - 7 * hourS });
  expect((await throughProvider(signing, idp)).page.html).toContain('Allow');
  idp.tamper = (payload) => ({ ...payload, auth_time: nowS() - 9 * hourS });
  expect(redirectTargetOf((await throughProvider(signing, idp)).page)).toContain('prompt=login');
});

describe('for sensitive actions', () => {
  const trust = (trusted: boolean) =>
    app.database.query('update sign_in_connections set trusts_provider = $1', [trusted]);
  /** A company with `step_up` accepts changes only from a recent sign-in with two factors, as this token’s. */
  const strong = () => app.as('admin', { claims: { auth_time: nowS(), acr: '2fa' } });
  const scopes = ['profile', 'collaborators:read', 'company:manage'];
  /** Changes the company, which requires a recent sign-in. */
  const sensitive = async (token = '') => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-company-id': app.company_id,
      'content-type': 'application/json',
    };
    const response = await fetch(`${app.base_url}/v1/company`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ locale: 'en' }),
    });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const admin = async () => {
    const { id, sub } = await directoryPerson(signing);
    await (await strong()).post(`/v1/collaborators/${id}/role`, { role: 'admin' }).expect(200);
    idp.person = { sub };
  };
  const refused = [401, 'insufficient_user_authentication'];
  beforeEach(async () => {
    idp.tamper = undefined;
    await trust(true);
    await (await strong()).put('/v1/company', { policy: { step_up: true, session_max_age: null } }).expect(200);
  });
  afterAll(async () => {
    await (await strong()).put('/v1/company', { policy: { step_up: false, session_max_age: null } }).expect(200);
  });

  test.each<[string, boolean, () => object, (number | string | undefined)[]]>([
    ['an untrusted provider, whatever it claims', false, () => ({ auth_time: nowS() }), refused],
    ['a trusted provider that claims no time', true, () => ({ auth_time: undefined }), refused],
    ['a trusted provider that claims milliseconds', true, () => ({ auth_time: Date.now() }), refused],
    ['a trusted provider that signed them in an hour ago', true, () => ({ auth_time: nowS() - hourS }), refused],
    ['a trusted provider that signed them in just now', true, () => ({ auth_time: nowS() }), [200, undefined]],
  ])('a first sign-in by %s', async (_name, trusted, claims, expected) => {
    await trust(trusted);
    await admin();
    idp.tamper = (payload) => ({ ...payload, ...claims() });
    const { tokens } = await tokensBy(signing, idp, scopes);
    expect(await readPeople(signing, tokens.access_token)).toBe(200);
    expect(await sensitive(tokens.access_token)).toEqual(expected);
  });

  test('a later request asks for their own factor, also in a session of that sign-in', async () => {
    await trust(false);
    await admin();
    const { browser } = await throughProvider(signing, idp);
    const { url } = beginSignIn(signing, scopes, { max_age: '900' });
    const { page } = await throughProvider(signing, idp, { browser, url });
    expect(page.html).toContain('You need a second factor to continue');
  });

  test('a first sign-in also asks for their own factor if sessions are too short to be anything but recent', async () => {
    await trust(false);
    await admin();
    const shorten = async (sessionMaxAge: number) =>
      (await strong()).put('/v1/company', { policy: { session_max_age: sessionMaxAge } }).expect(200);
    await shorten(900);
    expect((await throughProvider(signing, idp)).page.html).toContain('You need a second factor to continue');
    await trust(true);
    idp.person.amr = ['mfa'];
    expect((await throughProvider(signing, idp)).page.html).toContain('Allow');
    idp.tamper = (payload) => ({ ...payload, auth_time: undefined });
    expect((await throughProvider(signing, idp)).page.html).toContain('You need a second factor to continue');
  });

  test.each([
    ['milliseconds', 400, () => ({ auth_time: Date.now() })],
    ['a clock that is a little ahead', 200, () => ({ auth_time: nowS() + 10 })],
  ])('a trusted provider asked to sign the person in again that answers with %s', async (_name, status, claims) => {
    await admin();
    idp.tamper = (payload) => ({ ...payload, ...claims() });
    const { url } = beginSignIn(signing, scopes, { max_age: '900' });
    expect((await throughProvider(signing, idp, { url })).page.status).toBe(status);
  });

  test('a SAML assertion of the future is refused', async () => {
    const { sub } = await directoryPerson(signing);
    saml.person = { sub };
    saml.tamper = (contents) => ({ ...contents, authenticated_at: Date.now() + hourS * 1_000 });
    const at = { email: 'anybody@saml.verdelog.example' };
    expect((await throughSaml(signing, saml, at)).page.status).toBe(400);
  });
});
