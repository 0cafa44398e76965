/** Signing in with a company's SAML provider. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { redirectTargetOf } from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import { type SamlProvider, samlProvider, selfSigned } from '../../../helpers/identity/saml-provider.ts';
import {
  allowPrivate,
  authUserOf,
  beginSignIn,
  directoryPerson,
  invitedPerson,
  readPeople,
  type SignIns,
  signIns,
} from './company-sign-in-people.ts';
import { atProvider, post, throughSaml, tokensBySaml } from './saml-people.ts';

let app: TestApp;
let signing: SignIns;
let idp: SamlProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await samlProvider(app, { domains: ['verdelog.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
beforeEach(async () => {
  Object.assign(idp, { tamper: undefined, person: { sub: randomUUID() } });
  await app.database.query('update sign_in_connections set trusts_provider = false, subject_attribute = null');
});

const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;

test('a person of the directory signs in by a persistent NameID, and belongs to this company only', async () => {
  const { id, sub } = await directoryPerson(signing);
  idp.person = { sub, attributes: { mail: 'whatever@other.example' } };
  const { tokens } = await tokensBySaml(signing, idp);
  const user = await authUserOf(signing, tokens.access_token);
  expect(user.companies.map((company) => company.id)).toEqual([app.company_id]);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  expect((await record(id)).status).toBe('active');
  const repeated = await tokensBySaml(signing, idp);
  expect((await authUserOf(signing, repeated.tokens.access_token)).id).toBe(user.id);
  expect(await app.database.query('select 1 from sign_in_requests')).toEqual([]);
});

test('the request identifies the connection, requests a persistent NameID, and contains no email address', async () => {
  const { href } = await atProvider(signing);
  const request = idp.read(href);
  const base = `${app.base_url}/oauth/connections/${idp.connection_id}`;
  expect(request).toMatchObject({ acs: `${base}/acs`, issuer: `${base}/metadata` });
  expect(request.xml).toContain('nameid-format:persistent');
  expect(request.xml).not.toContain('ForceAuthn');
  expect(Buffer.byteLength(request.relay_state)).toBeLessThanOrEqual(80);
  expect(request.relay_state).toMatch(/^[\w-]+$/);
  const metadata = await fetch(`${base}/metadata`);
  expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml');
  const xml = await metadata.text();
  expect(xml).toContain(`entityID="${base}/metadata"`);
  expect(xml).toContain(`Location="${base}/acs"`);
  expect(xml).toContain('WantAssertionsSigned="true"');
  expect((await fetch(`${app.base_url}/oauth/connections/${randomUUID()}/metadata`)).status).toBe(404);
});

test('a subject attribute identifies people, if chosen', async () => {
  await app.database.query("update sign_in_connections set subject_attribute = 'objectidentifier'");
  const { sub, userName } = await directoryPerson(signing);
  const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  idp.person = { sub: 'anything@verdelog.example', format, attributes: { objectidentifier: sub } };
  const { href } = await atProvider(signing);
  expect(idp.read(href).xml).not.toContain('nameid-format');
  const { tokens } = await tokensBySaml(signing, idp);
  expect((await authUserOf(signing, tokens.access_token)).email).toBe(userName);
  const wrong: Record<string, string | string[]>[] = [
    { objectidentifier: [sub, sub] },
    { objectidentifier: '' },
    { other: sub },
  ];
  for (const attributes of wrong) {
    idp.person = { sub, attributes };
    expect((await throughSaml(signing, idp)).page.status).toBe(400);
  }
});

test('a NameID of format emailAddress or unspecified doesn’t identify a person', async () => {
  const { sub, userName } = await directoryPerson(signing);
  for (const [format, name] of [
    ['emailAddress', userName],
    ['unspecified', sub],
  ] as const) {
    idp.person = { sub: name, format: `urn:oasis:names:tc:SAML:1.1:nameid-format:${format}` };
    const { page } = await throughSaml(signing, idp);
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('Nothing was changed')]);
  }
});

test('an email address alone proves nothing', async () => {
  const { userName } = await directoryPerson(signing);
  idp.person = { sub: userName, attributes: { mail: userName, email: userName } };
  const { page } = await throughSaml(signing, idp);
  expect([page.status, page.html]).toEqual([200, expect.stringContaining('no invitation or directory entry')]);
  expect(page.forms.some((form) => form.has('password'))).toBe(true);
});

test('an invitation can be accepted with the provider', async () => {
  const { id, link } = await invitedPerson(signing);
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  const redirect = await browser.submit(page, page.forms.at(-1)!, { connection: idp.connection_id });
  const done = await post(browser, idp.respond(redirectTargetOf(redirect)));
  expect([done.status, done.html]).toEqual([200, expect.stringContaining('You have joined the company')]);
  expect((await record(id)).status).toBe('active');
  const { tokens } = await tokensBySaml(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
});

test('accepts a signed response, and a signature with the provider’s next key', async () => {
  const { sub } = await directoryPerson(signing);
  const { make } = idp;
  idp.person = { sub };
  idp.make = (contents) => idp.sign(make(contents), 'Response');
  expect((await throughSaml(signing, idp)).page.status).toBe(200);
  idp.make = make;
  const { certificate } = await selfSigned();
  await app.database.query('update sign_in_connections set certificates = $1', [[certificate, idp.certificate]]);
  expect((await throughSaml(signing, idp)).page.status).toBe(200);
  await app.database.query('update sign_in_connections set certificates = $1', [[idp.certificate]]);
});

test('refreshes metadata from its URL after an hour, so that the provider can rotate its key', async () => {
  const { sub } = await directoryPerson(signing);
  const old = await selfSigned();
  idp.person = { sub };
  const set = (readAt: string) =>
    app.database.query('update sign_in_connections set certificates = $1, metadata_url = $2, metadata_read_at = $3', [
      [old.certificate],
      `${idp.issuer}/metadata`,
      readAt,
    ]);
  await set(new Date().toISOString());
  expect((await throughSaml(signing, idp)).page.status).toBe(400);
  await set(new Date(Date.now() - 3_700_000).toISOString());
  expect((await throughSaml(signing, idp)).page.status).toBe(200);
  // Metadata of another provider, or none, changes nothing.
  const { metadata } = idp;
  for (const wrong of ['<a/>', metadata().replace('entityID="', 'entityID="https://evil.example/')]) {
    idp.metadata = () => wrong;
    await app.database.query("update sign_in_connections set metadata_read_at = now() - interval '2 hours'");
    expect((await throughSaml(signing, idp)).page.status).toBe(200);
  }
  idp.metadata = metadata;
  await app.database.query('update sign_in_connections set metadata_url = null, metadata_read_at = null');
});

describe('a second factor', () => {
  const policy = (change: object) => app.admin.put('/v1/company', { policy: change }).expect(200);
  const mfa = 'https://refeds.org/profile/mfa';
  afterAll(() => policy({ require_second_factor: false }));

  test('must be their own, unless the connection trusts the provider', async () => {
    await policy({ require_second_factor: true });
    const { sub } = await directoryPerson(signing);
    idp.person = { sub };
    idp.tamper = (contents) => ({ ...contents, context: mfa });
    expect((await throughSaml(signing, idp)).page.html).toContain('You need a second factor to continue');
    await app.database.query('update sign_in_connections set trusts_provider = true');
    expect((await throughSaml(signing, idp)).page.html).toContain('Allow');
    idp.tamper = undefined;
    expect((await throughSaml(signing, idp)).page.html).toContain('You need a second factor to continue');
    const name = 'http://schemas.microsoft.com/claims/authnmethodsreferences';
    idp.person = { sub, attributes: { [name]: ['a', 'http://schemas.microsoft.com/claims/multipleauthn'] } };
    expect((await throughSaml(signing, idp)).page.html).toContain('Allow');
    await policy({ require_second_factor: false });
  });

  test('counts from the provider’s time, if trusted', async () => {
    const { sub } = await directoryPerson(signing);
    idp.person = { sub };
    await app.database.query('update sign_in_connections set trusts_provider = true');
    const repeated = () => ({ url: beginSignIn(signing, ['profile'], { max_age: '60' }).url });
    const { browser, href } = await atProvider(signing, repeated());
    expect(idp.read(href).xml).toContain('ForceAuthn="true"');
    expect((await post(browser, idp.respond(href))).html).toContain('Allow');
    idp.tamper = (contents) => ({ ...contents, authenticated_at: contents.authenticated_at - 3_600_000 });
    expect((await throughSaml(signing, idp, repeated())).page.status).toBe(400);
  });
});

test('a connection test shows the attributes, and requires a subject attribute if nothing identifies the person', async () => {
  await app.database.query("update sign_in_connections set status = 'draft', tested_at = null");
  const start = async () => {
    const path = `/v1/sign-in-connections/${idp.connection_id}/test`;
    const { url } = (await app.admin.post(path).expect(200)).body;
    const browser = createBrowser(app.base_url);
    return { browser, href: redirectTargetOf(await browser.open(url)) };
  };
  const tested = async () => (await app.database.query('select tested_at from sign_in_connections'))[0]!.tested_at;
  const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  idp.person = { sub: 'ines@verdelog.example', format, attributes: { department: 'Fleet' } };
  const keyless = await start();
  const errorPage = await post(keyless.browser, idp.respond(keyless.href));
  expect(errorPage.html).toContain('nothing in it identifies the person');
  expect(errorPage.html).toContain('Fleet');
  expect(await tested()).toBeNull();
  const { sub } = await directoryPerson(signing);
  idp.person = { sub, attributes: { department: 'Fleet' } };
  const good = await start();
  expect((await post(good.browser, idp.respond(good.href))).html).toContain('These claims sign in Inês Sá');
  expect(await tested()).not.toBeNull();
  // Only the admin who tests sees the reason.
  idp.tamper = (contents) => ({ ...contents, audience: 'https://other.example' });
  const wrong = await start();
  expect((await post(wrong.browser, idp.respond(wrong.href))).html).toContain('audience mismatch');
  await app.database.query("update sign_in_connections set status = 'enabled'");
  expect((await throughSaml(signing, idp)).page.html).not.toContain('audience mismatch');
});

test('connection_only accepts people whom the provider signs in', async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const policy = (only: string[]) =>
    app.database.query('update companies set policy = policy || $2::jsonb, revision = revision + 1 where id = $1', [
      app.company_id,
      JSON.stringify({ connection_only: only }),
    ]);
  await policy(['admin', 'manager', 'employee']);
  const { tokens } = await tokensBySaml(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  await policy([]);
});
