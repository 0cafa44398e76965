/** A company that allows sign-in only with its identity provider, and the exception for its admins. */
import { randomUUID } from 'node:crypto';
import { methods } from '../../../../src/identity/factors/authentication.ts';
import { companiesBySignInMethod } from '../../../../src/identity/grants/companies-by-sign-in-method.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { accessChangesApplied } from '../../../helpers/identity/access-changes.ts';
import { type IdentityProvider, identityProvider } from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import {
  allowPrivate,
  beginSignIn,
  directoryPerson,
  readPeople,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';

const password = 'correct horse battery staple';
const passkey = { amr: [...methods.passkey], acr: '2fa' };

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example', 'example.com'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
const path = () => `/v1/sign-in-connections/${idp.connection_id}`;
const addPasskey = (userId: string) =>
  app.database.query(
    "insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports) values ($1, $2, 'Key', $3, '', 0, '{}')",
    [randomUUID(), userId, Buffer.from(randomUUID())],
  );

test('requires an admin with a passkey, and then closes other sign-ins immediately', async () => {
  const admin = await app.as('admin', { claims: passkey });
  await admin.patch(path(), { sign_in: 'connection_only' }).expect(409);
  await addPasskey(app.admin.user_id);
  await app.employee.get('/v1/company').expect(200);
  await admin.patch(path(), { sign_in: 'connection_only' }).expect(200);
  const refused = await app.employee.get('/v1/company').expect(403);
  expect(refused.body.error).toBe('company_access_denied');
  await app.admin.get('/v1/company').expect(403);
  await (await app.as('manager', { claims: passkey })).get('/v1/company').expect(403);
  await admin.get('/v1/company').expect(200);
  expect((await admin.get('/v1/company')).body.policy).not.toHaveProperty('connection_only');
  // Other companies are unaffected.
  await app.outsider.get('/v1/company').expect(200);
});

test('admits people signed in by the provider, and offers the company to nobody else', async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens } = await tokensBy(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  const browser = createBrowser(app.base_url);
  const page = await browser.open(beginSignIn(signing).url);
  const login = page.forms.find((form) => form.has('password'))!;
  const values = { email: 'tomas.rocha@example.com', password, action: 'login', way: 'password' };
  const consent = await browser.submit(page, login, values);
  expect(consent.status).toBe(200);
  expect(consent.html).not.toContain('Verde Logística');
  const db = app.database.db;
  expect(await companiesBySignInMethod(db, app.admin.user_id, methods.password)).toEqual([]);
  expect(await companiesBySignInMethod(db, app.admin.user_id, methods.passkey)).toMatchObject([{ id: app.company_id }]);
  expect(await companiesBySignInMethod(db, app.employee.user_id, methods.passkey)).toEqual([]);
});

test('keeps the last admin with a passkey independent of the provider, so the company keeps an admin', async () => {
  const [admin] = await app.database.query<{ email: string }>('select email from users where id = $1', [
    app.admin.user_id,
  ]);
  const { directory } = signing;
  const sub = randomUUID();
  const sent = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: admin!.email, externalId: sub };
  await directory.post('/Users', { ...sent, displayName: 'Mariana Duarte', active: true }).expect(201);
  idp.person = { sub };
  const { page } = await throughProvider(signing, idp, { email: 'a@example.com' });
  expect([page.status, page.html]).toEqual([403, expect.stringContaining('Sign in with your own account')]);
  const passkeyAdmin = await app.as('admin', { claims: passkey });
  await passkeyAdmin.get('/v1/company').expect(200);
});

test('ends with the connection, which signs its people out', async () => {
  const { sub, id } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens, browser } = await tokensBy(signing, idp);
  const admin = await app.as('admin', { claims: passkey });
  await admin.patch(path(), { status: 'draft' }).expect(200);
  await accessChangesApplied(app);
  expect(await readPeople(signing, tokens.access_token)).toBe(401);
  expect((await browser.open(beginSignIn(signing).url)).html).toContain('type="password"');
  await app.employee.get('/v1/company').expect(200);
  await admin.patch(path(), { status: 'enabled' }).expect(200);
  await accessChangesApplied(app);
  await app.employee.get('/v1/company').expect(403);
  await admin.delete(path()).expect(200);
  await accessChangesApplied(app);
  await app.employee.get('/v1/company').expect(200);
  const { body } = await app.admin.get(`/v1/collaborators/${id}/status`).expect(200);
  expect(body.status).toBe('active');
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
});
