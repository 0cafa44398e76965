/** SAML responses that must not sign anyone in: forged, wrapped, replayed, for another recipient, or from a hostile company. */
import { createHmac, randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { redirectTargetOf } from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import {
  type AssertionContents,
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

describe('a signature', () => {
  const asVictim = (contents: AssertionContents): AssertionContents => ({
    ...contents,
    id: `_${randomUUID()}`,
    name_id: victim.sub,
  });
  const signedEve = (contents: AssertionContents) =>
    friendly.sign(responseOf(contents, assertionOf(contents)), 'Assertion');
  const assertionIn = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0];
  const signatureIn = (xml: string) => /<Signature .*?<\/Signature>/s.exec(xml)![0];
  const within = (assertion: string, at: string, content: string) => assertion.replace(at, () => content + at);

  test.each<[string, (contents: AssertionContents) => string]>([
    ['is missing', (contents) => responseOf(asVictim(contents), assertionOf(asVictim(contents)))],
    ['covers only the response', (contents) => friendly.sign(responseOf(contents, assertionOf(contents)), 'Response')],
    ['doesn’t match the changed content', (contents) => signedEve(contents).replace(eve.sub, victim.sub)],
    [
      'covers the response, whose assertion was swapped',
      (contents) => {
        const xml = friendly.sign(signedEve(contents), 'Response');
        return xml.replace(assertionIn(xml), () => assertionOf(asVictim(contents)));
      },
    ],
    [
      'is made with another key, and includes its certificate',
      (contents) => hostile.sign(responseOf(asVictim(contents), assertionOf(asVictim(contents))), 'Assertion'),
    ],
    [
      'is made with SHA-1',
      (contents) =>
        friendly.sign(responseOf(contents, assertionOf(contents)), 'Assertion', {
          signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
          digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
        }),
    ],
    [
      'is a MAC with the certificate as its key',
      (contents) => {
        const xml = signedEve(contents).replace(/xmldsig-more#rsa-sha256/, 'xmldsig-more#hmac-sha256');
        const mac = createHmac('sha256', friendly.certificate).update(xml).digest('base64');
        return xml.replace(/<SignatureValue>[^<]*/, `<SignatureValue>${mac}`);
      },
    ],
    // Signature wrapping: the signed element stays in the document, beside a forged one.
    [
      'covers an assertion before a forged one',
      (contents) => responseOf(contents, assertionIn(signedEve(contents)) + assertionOf(asVictim(contents))),
    ],
    [
      'covers an assertion after a forged one',
      (contents) => responseOf(contents, assertionOf(asVictim(contents)) + assertionIn(signedEve(contents))),
    ],
    [
      'covers an assertion with the same ID as a forged one',
      (contents) =>
        responseOf(
          contents,
          assertionOf({ ...asVictim(contents), id: contents.id }) + assertionIn(signedEve(contents)),
        ),
    ],
    [
      'covers an assertion within a forged one',
      (contents) => {
        const inner = assertionIn(signedEve(contents));
        return responseOf(
          contents,
          within(assertionOf(asVictim(contents)), '<saml:Conditions', `<saml:Advice>${inner}</saml:Advice>`),
        );
      },
    ],
    [
      'was moved to a forged assertion, with the signed one inside the signature',
      (contents) => {
        const xml = signedEve(contents);
        const signature = signatureIn(xml);
        const inner = assertionIn(xml).replace(signature, '');
        const around = signature.replace('</Signature>', () => `<Object>${inner}</Object></Signature>`);
        return responseOf(contents, within(assertionOf(asVictim(contents)), '<saml:Subject>', around));
      },
    ],
    [
      'was moved to a forged assertion with the same ID',
      (contents) => {
        const xml = signedEve(contents);
        const signature = signatureIn(xml);
        const inner = assertionIn(xml).replace(signature, '');
        const evil = within(assertionOf({ ...asVictim(contents), id: contents.id }), '<saml:Subject>', signature);
        return responseOf(contents, `<samlp:Extensions>${inner}</samlp:Extensions>${evil}`);
      },
    ],
    [
      'covers an assertion in the extensions',
      (contents) => {
        const hidden = `<samlp:Extensions>${assertionIn(signedEve(contents))}</samlp:Extensions>`;
        return responseOf(contents, hidden + assertionOf(asVictim(contents)));
      },
    ],
    [
      'covers an assertion beside one of another namespace',
      (contents) => {
        const evil = assertionOf(asVictim(contents)).replace(/urn:oasis:names:tc:SAML:2.0:assertion/, 'urn:evil');
        return responseOf(contents, evil + assertionIn(signedEve(contents)));
      },
    ],
    [
      'covers a response within a forged one',
      (contents) => {
        const inner = friendly.sign(signedEve(contents), 'Response');
        return responseOf(contents, `<samlp:Extensions>${inner}</samlp:Extensions>${assertionOf(asVictim(contents))}`);
      },
    ],
    [
      'refers to two elements',
      (contents) => {
        const xml = signedEve(contents);
        const reference = /<Reference .*?<\/Reference>/s.exec(xml)![0];
        return xml.replace(reference, () => reference + reference);
      },
    ],
    [
      'has two digests, one of them split by a comment',
      (contents) => {
        const forged = friendly.sign(
          responseOf(contents, assertionOf({ ...contents, name_id: victim.sub })),
          'Assertion',
        );
        const [, digest] = /<DigestValue>([^<]*)/.exec(forged)!;
        return signedEve(contents)
          .replace(eve.sub, victim.sub)
          .replace('<DigestValue>', `<DigestValue><!--${digest}-->`);
      },
    ],
  ])('that %s is rejected', async (_name, attack) => {
    friendly.make = attack;
    await expectRefused(() => throughSaml(signing, friendly));
  });

  test.each(['', '#WithComments'])(
    'and a comment in the NameID don’t truncate it (canonicalized%s)',
    async (comments) => {
      const long = `${victim.sub}.eve`;
      friendly.person = { sub: long };
      friendly.make = (contents) => {
        const algorithms = {
          signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
          canonicalization: `http://www.w3.org/2001/10/xml-exc-c14n#${comments.slice(1)}`,
        };
        const commented = (xml: string) => xml.replace(long, `${victim.sub}<!--x-->.eve`);
        const xml = responseOf(contents, assertionOf(contents));
        return comments
          ? friendly.sign(commented(xml), 'Assertion', algorithms)
          : commented(friendly.sign(xml, 'Assertion', algorithms));
      };
      const { page } = await throughSaml(signing, friendly);
      expect([page.status, page.html]).toEqual([403, expect.stringContaining('no invitation or directory entry')]);
    },
  );
});

describe('an assertion', () => {
  const minute = 60_000;
  test.each<[string, (contents: AssertionContents) => Partial<AssertionContents>]>([
    ['is for another audience', () => ({ audience: 'https://other.example/metadata' })],
    [
      'is for our other audience',
      ({ audience }) => ({ audience: audience.replace(/[^/]*\/metadata/, `${hostile.connection_id}/metadata`) }),
    ],
    ['is for another recipient', () => ({ recipient: 'https://other.example/acs' })],
    ['is for a recipient that begins like ours', ({ recipient }) => ({ recipient: `${recipient}/more` })],
    ['came with another destination', () => ({ destination: 'https://other.example/acs' })],
    ['has another issuer', () => ({ issuer: 'https://other.example' })],
    ['has expired', () => ({ not_on_or_after: Date.now() - 2 * minute })],
    ['is not valid yet', () => ({ not_before: Date.now() + 2 * minute })],
    ['was issued long ago', () => ({ issued_at: Date.now() - 20 * minute })],
    ['responds to nothing', () => ({ in_response_to: undefined })],
    ['responds to another request', () => ({ in_response_to: '_another' })],
  ])('that %s is rejected', async (_name, tamper) => {
    friendly.tamper = (contents) => ({ ...contents, ...tamper(contents) });
    await expectRefused(() => throughSaml(signing, friendly));
  });

  test('issued to another app of the provider is rejected inside a response to our request', async () => {
    friendly.make = (contents) => {
      const unsolicited = { ...contents, in_response_to: undefined };
      const inner = friendly.sign(responseOf(unsolicited, assertionOf(unsolicited)), 'Assertion');
      return inner.replace('<samlp:Response ', `<samlp:Response InResponseTo="${contents.in_response_to}" `);
    };
    await expectRefused(() => throughSaml(signing, friendly));
  });

  test.each<[string, (xml: string) => string]>([
    ['without an audience', (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')],
    ['without conditions', (xml) => xml.replace(/<saml:Conditions .*<\/saml:Conditions>/, '')],
    ['without a confirmation', (xml) => xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '')],
    ['that is not confirmed by its bearer', (xml) => xml.replace('cm:bearer', 'cm:sender-vouches')],
    [
      'without an end of its confirmation',
      (xml) => xml.replace(/(SubjectConfirmationData[^>]*) NotOnOrAfter="[^"]*"/, '$1'),
    ],
    ['without a time of the sign-in', (xml) => xml.replace(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/, '')],
    [
      'of a session that has ended',
      (xml) => xml.replace('<saml:AuthnStatement ', '<saml:AuthnStatement SessionNotOnOrAfter="2020-01-01T00:00:00Z" '),
    ],
    ['without a NameID', (xml) => xml.replace(/<saml:NameID .*<\/saml:NameID>/, '')],
    ['that is not of version 2.0', (xml) => xml.replace('Version="2.0" IssueInstant', 'Version="1.1" IssueInstant')],
    [
      'with an attribute in place of its NameID',
      (xml) =>
        xml
          .replace(/<saml:NameID .*<\/saml:NameID>/, '')
          .replace(
            '</saml:Assertion>',
            `<saml:AttributeStatement><saml:Attribute Name="nameID"><saml:AttributeValue>${victim.sub}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="nameIDFormat"><saml:AttributeValue>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`,
          ),
    ],
  ])('%s is rejected', async (_name, change) => {
    friendly.make = (contents) => friendly.sign(responseOf(contents, change(assertionOf(contents))), 'Assertion');
    await expectRefused(() => throughSaml(signing, friendly));
  });

  test('in a response with a failure status is rejected', async () => {
    friendly.make = (contents) => friendly.sign(responseOf(contents, assertionOf(contents), 'Responder'), 'Assertion');
    await expectRefused(() => throughSaml(signing, friendly));
  });

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

  const bomb = `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`;
  test.each<[string, (xml: string) => string]>([
    ['an entity bomb', (xml) => bomb + xml.replace(eve.sub, '&c;')],
    [
      'a file of the server',
      (xml) => `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xml.replace(eve.sub, '&a;')}`,
    ],
    ['a document type alone', (xml) => `<!DOCTYPE r>${xml}`],
    ['a document type in lower case', (xml) => `<!doctype r>${xml}`],
    ['an entity of its own', (xml) => xml.replace(eve.sub, '&victim;')],
    ['a style sheet', (xml) => `<?xml-stylesheet href="https://evil.example"?>${xml}`],
    ['a million elements', (xml) => xml.replace('<samlp:Status>', `${'<a/>'.repeat(50_000)}<samlp:Status>`)],
    ['a thousand elements', (xml) => xml.replace('<saml:Subject>', `${'<a/>'.repeat(1_000)}<saml:Subject>`)],
    [
      'namespaces without end',
      (xml) =>
        xml.replace(
          '<saml:Subject>',
          `<a ${Array.from({ length: 5_000 }, (_, n) => `xmlns:a${n}="u"`).join(' ')}/><saml:Subject>`,
        ),
    ],
    [
      'elements without end',
      (xml) => xml.replace('<samlp:Status>', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}<samlp:Status>`),
    ],
    ['no end of an element', (xml) => xml.slice(0, -10)],
    ['no XML', () => 'SAML'],
    ['nothing', () => ''],
    ['a logout', () => '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'],
  ])('is rejected with %s', async (_name, change) => {
    friendly.make = (contents) => change(make(contents));
    await expectRefused(() => throughSaml(signing, friendly));
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
