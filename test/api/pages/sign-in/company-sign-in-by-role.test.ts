/** A company whose roles sign in differently, and a sign-in page that reveals no role. */
import { methods } from '../../../../src/identity/factors/authentication.ts';
import { companiesBySignInMethod } from '../../../../src/identity/grants/companies-by-sign-in-method.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type IdentityProvider, identityProvider } from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import {
  allowPrivate,
  beginSignIn,
  directoryPerson,
  readPeople,
  type SignIns,
  signIns,
  tokensBy,
} from './company-sign-in-people.ts';

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
const change = (settings: object) => app.admin.patch(`/v1/sign-in-connections/${idp.connection_id}`, settings);
const read = (role: 'admin' | 'manager' | 'employee') => app[role].get('/v1/company');
const emailOf = async (userId: string) =>
  (await app.database.query<{ email: string }>('select email from users where id = $1', [userId]))[0]!.email;

/** The sign-in page for an address, without parts that differ with each request. */
async function pageOf(email: string, more: Record<string, string>) {
  const browser = createBrowser(app.base_url);
  const page = await browser.open(beginSignIn(signing).url);
  const form = page.forms.find((each) => each.has('email'))!;
  const { status, html } = await browser.submit(page, form, { email, action: 'login', password: 'wrong', ...more });
  const normalized = html.replaceAll(email, 'EMAIL').replaceAll(encodeURIComponent(email), 'EMAIL');
  return {
    status,
    normalized: normalized.replaceAll(/(interaction[/=]|value="|state=|nonce=|challenge=|url=)[^"&?]+/g, '$1'),
  };
}

test('closes other sign-ins for the roles with connection_only, and for no other', async () => {
  // An admin who may sign in with any account isn't locked out, so no passkey is needed.
  await change({ sign_in_by_role: { manager: 'connection_only', employee: 'connection_only' } }).expect(200);
  await read('admin').expect(200);
  for (const role of ['manager', 'employee'] as const) {
    expect((await read(role).expect(403)).body.error).toBe('company_access_denied');
    expect(await companiesBySignInMethod(app.database.db, app[role].user_id, methods.passkey)).toEqual([]);
  }
  const open = await companiesBySignInMethod(app.database.db, app.admin.user_id, methods.password);
  expect(open).toMatchObject([{ id: app.company_id, role: 'admin' }]);
  await app.outsider.get('/v1/company').expect(200);
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens } = await tokensBy(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
});

test('a role’s own policy overrides a strict one of the connection', async () => {
  await change({
    sign_in: 'connection_only',
    sign_in_by_role: { admin: 'any', manager: null, employee: 'any' },
  }).expect(200);
  await read('admin').expect(200);
  await read('manager').expect(403);
  await read('employee').expect(200);
});

test('a new role follows its own policy', async () => {
  const byRole = { admin: 'any', manager: 'any', employee: 'connection_only' };
  await change({ sign_in: 'any', sign_in_by_role: byRole }).expect(200);
  await read('manager').expect(200);
  const path = `/v1/collaborators/${app.manager.collaborator_id}/role`;
  await app.admin.post(path, { role: 'employee' }).expect(200);
  await eventually(async () => expect((await read('manager')).body.error).toBe('company_access_denied'));
  expect(await companiesBySignInMethod(app.database.db, app.manager.user_id, methods.password)).toEqual([]);
  await app.admin.post(path, { role: 'manager' }).expect(200);
  await eventually(async () => expect((await read('manager')).status).toBe(200));
  expect(await companiesBySignInMethod(app.database.db, app.manager.user_id, methods.password)).toHaveLength(1);
});

test('the sign-in page reveals neither a role nor whether an account exists', async () => {
  const addresses = await Promise.all([
    emailOf(app.admin.user_id),
    emailOf(app.employee.user_id),
    'nobody-at-all@example.com',
  ]);
  for (const [byRole, leads] of [
    [{ admin: 'any', manager: 'any', employee: 'connection_only' }, true],
    [{ admin: 'connection', manager: 'any', employee: 'any' }, true],
    [{ admin: 'any', manager: 'any', employee: 'any' }, false],
  ] as const) {
    await change({ sign_in: 'connection', sign_in_by_role: byRole }).expect(200);
    const responses = [];
    for (const email of addresses) responses.push(await pageOf(email, {}));
    expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(responses[0]!.normalized.includes('Continue to Verdelog Okta')).toBe(leads);
    const typed = [];
    for (const email of addresses) typed.push(await pageOf(email, { way: 'password' }));
    expect(new Set(typed.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(typed[0]!.normalized).toContain('don’t match an account');
  }
});
