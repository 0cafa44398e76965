/** SAML responses that must not sign anyone in: replayed, in another browser, or from a hostile company. Forged ones are in `saml-forgeries`. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { redirectTargetOf } from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import {
  assertionOf,
  type Posted,
  postCrossSite,
  responseOf,
  type SamlProvider,
  samlProvider,
} from '../../../helpers/identity/saml-provider.ts';
import {
  allowPrivate,
  authUserOf,
  beginSignIn,
  directoryPerson,
  type SignIns,
  signIns,
} from './company-sign-in-people.ts';
import { atProvider, post, throughSaml, tokensBySaml } from './saml-people.ts';

const hostileAddress = 'anybody@nordwind.example';

let app: TestApp;
let signing: SignIns;
let friendly: SamlProvider;
let hostile: SamlProvider;
/** Eve has an assertion of her own, and attacks to sign in as the victim. */
let eve: { sub: string };
let victim: { sub: string };
let make: SamlProvider['make'];
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  friendly = await samlProvider(app, { domains: ['verdelog.example'] });
  hostile = await samlProvider(app, { domains: ['nordwind.example'] }, app.outsider.company_id);
  make = friendly.make;
  eve = await directoryPerson(signing);
  victim = await directoryPerson(signing);
  for (const { sub } of [victim, eve]) {
    friendly.person = { sub };
    await tokensBySaml(signing, friendly);
  }
});
afterAll(async () => {
  await app.close();
  await friendly.close();
  await hostile.close();
});
beforeEach(() => {
  Object.assign(friendly, { tamper: undefined, make, person: { sub: eve.sub } });
  Object.assign(hostile, { tamper: undefined, person: { sub: randomUUID() } });
});

const linked = async () =>
  JSON.stringify(await app.database.query('select subject, last_sign_in_at from sign_in_links order by 1'));

/** Expects that no one is signed in. */
async function expectRefused(attack: () => Promise<{ page: { status: number; location: URL | undefined } }>) {
  const before = await linked();
  const { page } = await attack();
  expect([page.location, page.status >= 400]).toEqual([undefined, true]);
  expect(await linked()).toBe(before);
}

test('without an attack, the same response signs in', async () => {
  expect((await throughSaml(signing, friendly)).page.status).toBe(200);
});

test('a response without a signature or a NameID signs no one in', async () => {
  friendly.make = (contents) => responseOf(contents, assertionOf(contents));
  await expectRefused(() => throughSaml(signing, friendly));
  friendly.make = (contents) =>
    friendly.sign(
      responseOf(contents, assertionOf(contents).replace(/<saml:NameID .*<\/saml:NameID>/, '')),
      'Assertion',
    );
  await expectRefused(() => throughSaml(signing, friendly));
});

describe('an assertion', () => {
  test('is rejected if encrypted, with instructions for the admin who tests the connection', async () => {
    friendly.make = (contents) =>
      responseOf(contents, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>');
    await expectRefused(() => throughSaml(signing, friendly));
    const { body } = await app.admin.post(`/v1/sign-in-connections/${friendly.connection_id}/test`).expect(200);
    const browser = createBrowser(app.base_url);
    const page = await post(browser, friendly.respond(redirectTargetOf(await browser.open(body.url))));
    expect(page.html).toContain('turn encryption off in the provider');
  });

  test('works once: rejects the same form again, and its ID for another request', async () => {
    const { browser, href } = await atProvider(signing);
    const posted = friendly.respond(href);
    expect((await post(browser, posted)).status).toBe(200);
    await expectRefused(async () => ({ page: await post(browser, posted) }));
    const id = `_${randomUUID()}`;
    friendly.tamper = (contents) => ({ ...contents, id });
    expect((await throughSaml(signing, friendly)).page.status).toBe(200);
    await expectRefused(() => throughSaml(signing, friendly));
  });
});

describe('a posted response', () => {
  const fieldsOf = async () => {
    const { browser, href } = await atProvider(signing);
    return { browser, posted: friendly.respond(href) };
  };

  test('is rejected if unsolicited: there is no IdP-initiated sign-in', async () => {
    const { browser, posted } = await fieldsOf();
    for (const RelayState of [undefined, '', 'made up', 'https://evil.example', `${app.base_url}/console`]) {
      const fields = { SAMLResponse: posted.fields.SAMLResponse, ...(RelayState !== undefined && { RelayState }) };
      await expectRefused(async () => ({ page: await post(browser, { acs: posted.acs, fields }) }));
      expect((await postCrossSite({ acs: posted.acs, fields })).location).toBeNull();
    }
  });

  test('redirects only to our own URL, whatever it contains', async () => {
    const { posted } = await fieldsOf();
    const fields = { ...posted.fields, next: 'https://evil.example', return_to: 'https://evil.example' };
    const { status, location } = await postCrossSite({ ...posted, fields });
    expect([status, location]).toEqual([303, `${posted.acs}?state=${posted.fields.RelayState}`]);
  });

  test('is rejected in a browser that wasn’t sent to the provider (login CSRF)', async () => {
    const { browser, posted } = await fieldsOf();
    const stranger = createBrowser(app.base_url);
    await expectRefused(async () => ({ page: await post(stranger, posted) }));
    // Also in a browser that was sent there for its own sign-in.
    const other = await atProvider(signing);
    const second = await fieldsOf();
    await expectRefused(async () => ({ page: await post(other.browser, second.posted) }));
    // The browser that was sent there is signed in.
    const page = await browser.open(`${posted.acs}?state=${posted.fields.RelayState}`);
    expect(page.status).toBe(200);
  });

  test('is rejected at another connection (mix-up)', async () => {
    const own = await atProvider(signing);
    const foreign = await atProvider(signing, { email: hostileAddress });
    const request = friendly.read(own.href);
    hostile.person = { sub: victim.sub };
    // The hostile provider responds to our request, at our connection's ACS URL and at its own.
    for (const acs of [request.acs, friendly.read(foreign.href).acs]) {
      const posted = { ...hostile.respond(own.href), acs };
      await expectRefused(async () => ({ page: await post(own.browser, posted) }));
    }
    // It claims to be the friendly provider.
    const retry = await atProvider(signing);
    hostile.tamper = (contents) => ({ ...contents, issuer: friendly.issuer });
    await expectRefused(async () => ({ page: await post(retry.browser, hostile.respond(retry.href)) }));
    // A response of the friendly provider at the ACS URL of the hostile connection.
    const last = await atProvider(signing);
    const posted = { ...friendly.respond(last.href), acs: friendly.read(foreign.href).acs };
    await expectRefused(async () => ({ page: await post(last.browser, posted) }));
  });

  test('is rejected if the connection was disabled in the meantime', async () => {
    const { browser, posted } = await fieldsOf();
    await app.database.query("update sign_in_connections set status = 'draft' where id = $1", [friendly.connection_id]);
    await expectRefused(async () => ({ page: await post(browser, posted) }));
    await app.database.query("update sign_in_connections set status = 'enabled' where id = $1", [
      friendly.connection_id,
    ]);
  });

  test('is rejected if it is huge', async () => {
    const { posted } = await fieldsOf();
    const SAMLResponse = Buffer.from('x'.repeat(600_000)).toString('base64');
    const { status } = await postCrossSite({ ...posted, fields: { ...posted.fields, SAMLResponse } } as Posted);
    expect(status).toBe(413);
  });
});

test('a hostile company’s provider can’t impersonate our people by subject or email', async () => {
  const before = await linked();
  for (const person of [
    { sub: victim.sub },
    { sub: app.admin.user_id },
    { sub: app.admin.collaborator_id! },
    { sub: 'mariana.duarte@example.com', attributes: { mail: 'mariana.duarte@example.com' } },
  ]) {
    hostile.person = person;
    const { page, browser } = await throughSaml(signing, hostile, { email: hostileAddress });
    expect([page.location, page.html]).toEqual([
      undefined,
      expect.stringContaining('no invitation or directory entry'),
    ]);
    expect((await browser.open(beginSignIn(signing).url)).html).toContain('type="password"');
  }
  expect(await linked()).toBe(before);
  friendly.person = { sub: victim.sub };
  const { tokens } = await tokensBySaml(signing, friendly);
  expect((await authUserOf(signing, tokens.access_token)).companies.map(({ id }) => id)).toEqual([app.company_id]);
});
