/** SAML responses that are rejected: forged, wrapped, expired, for another recipient, or built to exhaust the reader. */
import { createHmac, randomUUID } from 'node:crypto';
import type { SamlConnection } from '../../../src/product/sign-in-connections/connection-at-sign-in.ts';
import { serviceAddresses } from '../../../src/product/sign-in-connections/saml/service-provider.ts';
import { verifyResponse } from '../../../src/product/sign-in-connections/saml/verify-response.ts';
import {
  type AssertionContents,
  assertionOf,
  contentsFor,
  persistent,
  responseOf,
  selfSigned,
  signed,
} from '../../helpers/identity/saml-provider.ts';

const baseUrl = 'https://people.example';
const connection: SamlConnection = {
  kind: 'saml',
  id: randomUUID(),
  company_id: randomUUID(),
  name: 'Friendly',
  issuer: 'https://provider.example',
  trusts_provider: false,
  isEnabled: true,
  sso_url: 'https://provider.example/sso',
  certificates: [],
  metadata_url: null,
  subject_attribute: null,
};
const request = { request_id: '_request' };
/** Eve has an assertion of her own, and attacks to sign in as the victim. */
const eve = { sub: 'okta-eve' };
const victim = { sub: 'okta-victim' };

const signing = async () => {
  const pair = await selfSigned();
  const sign = (xml: string, element: 'Assertion' | 'Response', algorithms?: Parameters<typeof signed>[3]) =>
    signed(xml, element, pair, algorithms);
  return { certificate: pair.certificate, sign };
};
let friendly: Awaited<ReturnType<typeof signing>>;
let hostile: Awaited<ReturnType<typeof signing>>;
beforeAll(async () => {
  [friendly, hostile] = [await signing(), await signing()];
  connection.certificates = [friendly.certificate];
});

function contentsOf(person = eve): AssertionContents {
  const { entity_id: audience, acs_url: acs } = serviceAddresses(baseUrl, connection.id);
  return contentsFor({ id: request.request_id, issuer: audience, acs }, connection.issuer, person);
}
const make = (contents: AssertionContents) => friendly.sign(responseOf(contents, assertionOf(contents)), 'Assertion');
const verify = (xml: string) => verifyResponse(connection, baseUrl, request, Buffer.from(xml).toString('base64'));
const expectRejected = (xml: string) => expect(verify(xml)).rejects.toThrow();

test('without an attack, the same response is accepted', async () => {
  expect(await verify(make(contentsOf()))).toMatchObject({ sub: eve.sub });
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
    await expectRejected(attack(contentsOf()));
  });

  test.each(['', '#WithComments'])(
    'and a comment in the NameID don’t truncate it (canonicalized%s)',
    async (comments) => {
      const long = `${victim.sub}.eve`;
      const algorithms = {
        signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
        canonicalization: `http://www.w3.org/2001/10/xml-exc-c14n#${comments.slice(1)}`,
      };
      const commented = (xml: string) => xml.replace(long, `${victim.sub}<!--x-->.eve`);
      const contents = contentsOf({ sub: long });
      const xml = responseOf(contents, assertionOf(contents));
      const sent = comments
        ? friendly.sign(commented(xml), 'Assertion', algorithms)
        : commented(friendly.sign(xml, 'Assertion', algorithms));
      expect(await verify(sent)).toMatchObject({ sub: long });
    },
  );
});

describe('an assertion', () => {
  const minute = 60_000;
  test.each<[string, (contents: AssertionContents) => Partial<AssertionContents>]>([
    ['is for another audience', () => ({ audience: 'https://other.example/metadata' })],
    ['is for our other audience', ({ audience }) => ({ audience: audience.replace(connection.id, randomUUID()) })],
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
    const contents = contentsOf();
    await expectRejected(make({ ...contents, ...tamper(contents) }));
  });

  test('issued to another app of the provider is rejected inside a response to our request', async () => {
    const contents = contentsOf();
    const inner = make({ ...contents, in_response_to: undefined });
    await expectRejected(
      inner.replace('<samlp:Response ', `<samlp:Response InResponseTo="${contents.in_response_to}" `),
    );
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
    ['that is not of version 2.0', (xml) => xml.replace('Version="2.0" IssueInstant', 'Version="1.1" IssueInstant')],
  ])('%s is rejected', async (_name, change) => {
    const contents = contentsOf();
    await expectRejected(friendly.sign(responseOf(contents, change(assertionOf(contents))), 'Assertion'));
  });

  test('with an attribute in place of its NameID has no subject', async () => {
    const contents = { ...contentsOf(), attributes: { nameID: victim.sub, nameIDFormat: persistent } };
    const assertion = assertionOf(contents).replace(/<saml:NameID .*<\/saml:NameID>/, '');
    expect(await verify(friendly.sign(responseOf(contents, assertion), 'Assertion'))).toMatchObject({ sub: '' });
  });

  test('in a response with a failure status is rejected', async () => {
    const contents = contentsOf();
    await expectRejected(friendly.sign(responseOf(contents, assertionOf(contents), 'Responder'), 'Assertion'));
  });
});

describe('a posted response', () => {
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
    ['no end of an element', (xml) => xml.slice(0, -10)],
    ['no XML', () => 'SAML'],
    ['nothing', () => ''],
    ['a logout', () => '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'],
  ])('is rejected with %s', async (_name, change) => {
    await expectRejected(change(make(contentsOf())));
  });
});
