/** Tokens and claims that no honest provider sends. */
import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
} from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import { type SamlProvider, samlProvider } from '../../../helpers/identity/saml-provider.ts';
import {
  allowPrivate,
  directoryPerson,
  invitedPerson,
  type SignIns,
  signIns,
  throughProvider,
} from './company-sign-in-people.ts';
import { throughSaml } from './saml-people.ts';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
let saml: SamlProvider;
let token: IdentityProvider['token'];
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
  saml = await samlProvider(app, { domains: ['saml.verdelog.example'] });
  token = idp.token;
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await saml.close();
});
beforeEach(() => {
  Object.assign(idp, { tamper: (payload: object) => payload, token, person: { sub: randomUUID() } });
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedBy = (header: object, payload: object, signature: (text: string) => Buffer) => {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${signature(text).toString('base64url')}`;
};
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const byOwnKey = (text: string) => sign('sha256', Buffer.from(text), own.privateKey);
const ownJwk = own.publicKey.export({ format: 'jwk' });
const publishedKey = async () => {
  const { keys } = (await (await fetch(`${idp.issuer}/jwks`)).json()) as { keys: [object] };
  return createPublicKey({ key: keys[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
};

test.each<[string, (payload: object, key: string | Buffer) => string]>([
  ['without a signature', (payload) => signedBy({ alg: 'none' }, payload, () => Buffer.alloc(0))],
  [
    'with the client secret as its key',
    (payload) =>
      signedBy({ alg: 'HS256', kid: 'one' }, payload, (text) =>
        createHmac('sha256', 'a secret of the provider').update(text).digest(),
      ),
  ],
  [
    'with the published key as a secret',
    (payload, key) =>
      signedBy({ alg: 'HS256', kid: 'one' }, payload, (text) => createHmac('sha256', key).update(text).digest()),
  ],
  ['with a key of its own', (payload) => signedBy({ alg: 'RS256', kid: 'one', jwk: ownJwk }, payload, byOwnKey)],
  [
    'with the address of its keys',
    (payload) => signedBy({ alg: 'RS256', kid: 'own', jku: 'http://127.0.0.1/keys' }, payload, byOwnKey),
  ],
  ['of an unknown key', (payload) => signedBy({ alg: 'RS256', kid: 'two' }, payload, byOwnKey)],
  ['with a critical extension', (payload) => token(payload as never, { crit: ['exp'] })],
])('an ID token %s is rejected', async (_name, make) => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const key = await publishedKey();
  idp.token = (payload) => make(payload, key);
  const { page } = await throughProvider(signing, idp);
  expect([page.status, page.html]).toEqual([400, expect.stringContaining('Nothing was changed')]);
  expect(await app.database.query('select 1 from sign_in_links where subject = $1', [sub])).toEqual([]);
});

const longText = randomBytes(8_000).toString('base64');
const acceptance = async () => {
  const browser = createBrowser(app.base_url);
  const page = await browser.open((await invitedPerson(signing)).link);
  const redirect = await browser.submit(page, page.forms.at(-1)!, { connection: idp.connection_id });
  return browser.open((await idp.signIn(redirectTargetOf(redirect))).href);
};

test.each([
  ['a NUL', 'a\0b'],
  ['too many characters', longText],
])('a subject with %s identifies nobody', async (_name, sub) => {
  idp.tamper = (payload) => ({ ...payload, sub });
  for (const page of [(await throughProvider(signing, idp)).page, await acceptance()])
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('Nothing was changed')]);
  const { body } = await app.admin.post(`/v1/sign-in-connections/${idp.connection_id}/test`).expect(200);
  const browser = createBrowser(app.base_url);
  const tested = await browser.open((await idp.signIn(redirectTargetOf(await browser.open(body.url)))).href);
  expect([tested.status, tested.html]).toEqual([400, expect.stringContaining('the claim sub')]);
});

test.each([
  ['an object id', { oid: 'a\0b' }],
  ['an address', { email: 'a\0b@verdelog.example' }],
])('%s with a NUL proves nothing', async (_name, claims) => {
  idp.tamper = (payload) => ({ ...payload, ...claims });
  const { page } = await throughProvider(signing, idp);
  expect([page.status, page.html]).toEqual([403, expect.stringContaining('no invitation or directory entry')]);
});

test('a NUL in a NameID of SAML is rejected', async () => {
  const at = { email: 'anybody@saml.verdelog.example' };
  const { make } = saml;
  for (const reference of ['&#0;', '&#x00;']) {
    saml.make = (contents) => make(contents).replace(contents.name_id, reference);
    expect((await throughSaml(signing, saml, at)).page.status).toBe(400);
    // Within a signed response, the parser decodes it.
    saml.make = (contents) => make({ ...contents, name_id: `a${reference}b` });
    expect((await throughSaml(signing, saml, at)).page.status).toBe(400);
  }
});
