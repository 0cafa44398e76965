/** A trusted provider whose own session is older than sessions may be here. */
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

test.each([
  ['a working day', null, 13 * hourS],
  ['the company’s limit', 8 * hourS, 9 * hourS],
])('asks the provider to sign the person in again after %s', async (_name, max, ageS) => {
  await limit(max);
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const ofSession = nowS() - ageS;
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

test('a session of the provider that is young enough is used', async () => {
  await limit(8 * hourS);
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  idp.tamper = (payload) => ({ ...payload, auth_time: nowS() - 7 * hourS });
  expect((await throughProvider(signing, idp)).page.html).toContain('Allow');
});
