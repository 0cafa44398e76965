/** A SAML provider over HTTP, friendly or hostile: it signs whatever the test specifies, without a prompt. */
import { generateKeyPairSync, randomUUID, webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import express from 'express';
import { SignedXml } from 'xml-crypto';
import type { Config } from '../../../src/platform/config/config.ts';
import type { TestDatabase } from '../database/database.ts';
import { addSignInConnection } from '../resources/sign-in-connections.ts';

export const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** Contents of an assertion, which tests can change. */
export interface AssertionContents {
  id: string;
  issuer: string;
  audience: string;
  recipient: string;
  destination: string;
  in_response_to: string | undefined;
  name_id: string;
  name_id_format: string;
  attributes: Record<string, string | string[]>;
  issued_at: number;
  not_before: number;
  not_on_or_after: number;
  authenticated_at: number;
  context: string;
}

export interface Request {
  id: string;
  acs: string;
  issuer: string;
  relay_state: string;
  xml: string;
}

export interface Posted {
  acs: string;
  fields: { SAMLResponse: string; RelayState?: string };
}

export interface SamlProvider {
  issuer: string;
  connection_id: string;
  certificate: string;
  /** The next person to sign in. */
  person: { sub: string; format?: string; attributes?: Record<string, string | string[]> };
  /** Changes the contents of the next assertions. */
  tamper: ((contents: AssertionContents) => AssertionContents) | undefined;
  /** Builds the response; signs the assertion by default. */
  make: (contents: AssertionContents) => string;
  metadata(): string;
  /** Certificates to publish instead of its own. */
  published: string[] | undefined;
  sign(xml: string, element: 'Assertion' | 'Response', algorithms?: Algorithms): string;
  read(href: string): Request;
  /** Responds to an authentication request. @returns the form that the browser posts */
  respond(href: string): Posted;
  close(): Promise<void>;
}

interface Algorithms {
  signature: string;
  digest: string;
  canonicalization?: string;
}

const sha256: Algorithms = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
};

interface Service {
  database: TestDatabase;
  company_id: string;
  config: Config;
  base_url: string;
}

/** A self-signed certificate, in PEM. @param days until it expires; negative for an expired one */
export async function selfSigned(bits = 2_048, days = 365): Promise<{ key: string; certificate: string }> {
  x509.cryptoProvider.set(webcrypto as never);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const pair = generateKeyPairSync('rsa', { modulusLength: bits });
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const importKey = async (der: Buffer, form: 'pkcs8' | 'spki', use: 'sign' | 'verify') =>
    webcrypto.subtle.importKey(form, der, algorithm, true, [use]);
  const keys = {
    privateKey: await importKey(pair.privateKey.export({ type: 'pkcs8', format: 'der' }), 'pkcs8', 'sign'),
    publicKey: await importKey(pair.publicKey.export({ type: 'spki', format: 'der' }), 'spki', 'verify'),
  };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=provider',
    notBefore: new Date(Date.now() - 30 * 86_400_000),
    notAfter: new Date(Date.now() + days * 86_400_000),
    signingAlgorithm: algorithm,
    keys: keys as never,
  });
  return { key, certificate: certificate.toString('pem') };
}

/** Certificates of closed providers, which the next ones use: making an RSA key takes longer than a sign-in. */
const freeCertificates: Awaited<ReturnType<typeof selfSigned>>[] = [];

/** Starts a provider, and connects the company to it. @param settings of the connection */
export async function samlProvider(
  service: Service,
  settings: Parameters<typeof addSignInConnection>[1] = {},
  companyId = service.company_id,
): Promise<SamlProvider> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, listening));
  // Another site than the service, which is at 127.0.0.1.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const own = freeCertificates.pop() ?? (await selfSigned());
  const { key, certificate } = own;
  const provider: SamlProvider = {
    issuer,
    connection_id: '',
    certificate,
    person: { sub: randomUUID() },
    tamper: undefined,
    make: (contents) => provider.sign(responseOf(contents, assertionOf(contents)), 'Assertion'),
    published: undefined,
    metadata: () => metadataOf(issuer, provider.published ?? [certificate]),
    sign: (xml, element, algorithms) => signed(xml, element, { key, certificate }, algorithms),
    read: requestOf,
    respond(href) {
      const request = requestOf(href);
      const contents = contentsFor(request, issuer, provider.person);
      const xml = provider.make(provider.tamper ? provider.tamper(contents) : contents);
      const SAMLResponse = Buffer.from(xml).toString('base64');
      return { acs: request.acs, fields: { SAMLResponse, RelayState: request.relay_state } };
    },
    close: () => {
      freeCertificates.push(own);
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  const row = { kind: 'saml', issuer, sso_url: `${issuer}/sso`, certificates: [certificate] } as const;
  provider.connection_id = await addSignInConnection(
    service,
    { status: 'enabled', ...settings, ...row, certificates: [certificate] },
    companyId,
  );
  app.get('/metadata', (_req, res) => {
    res.type('application/samlmetadata+xml').send(provider.metadata());
  });
  app.get('/sso', (req, res) => {
    const { acs, fields } = provider.respond(new URL(req.originalUrl, issuer).href);
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    res.send(
      `<form method="post" action="${acs}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`,
    );
  });
  return provider;
}

function requestOf(href: string): Request {
  const { searchParams } = new URL(href);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
  const issuer = /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '';
  const relayState = searchParams.get('RelayState') ?? '';
  return { id: attribute('ID'), acs: attribute('AssertionConsumerServiceURL'), issuer, relay_state: relayState, xml };
}

export function contentsFor(
  request: Pick<Request, 'id' | 'issuer' | 'acs'>,
  issuer: string,
  { sub, format, attributes = {} }: SamlProvider['person'],
): AssertionContents {
  const now = Date.now();
  return {
    id: `_${randomUUID()}`,
    issuer,
    audience: request.issuer,
    recipient: request.acs,
    destination: request.acs,
    in_response_to: request.id,
    name_id: sub,
    name_id_format: format ?? persistent,
    attributes,
    issued_at: now,
    not_before: now - 30_000,
    not_on_or_after: now + 300_000,
    authenticated_at: now,
    context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  };
}

const time = (ms: number) => new Date(ms).toISOString();

export function assertionOf(contents: AssertionContents): string {
  const attributes = Object.entries(contents.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  const responseTo = contents.in_response_to === undefined ? '' : ` InResponseTo="${contents.in_response_to}"`;
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${contents.id}" Version="2.0" IssueInstant="${time(contents.issued_at)}"><saml:Issuer>${contents.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${contents.name_id_format}">${contents.name_id}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${responseTo} Recipient="${contents.recipient}" NotOnOrAfter="${time(contents.not_on_or_after)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(contents.not_before)}" NotOnOrAfter="${time(contents.not_on_or_after)}"><saml:AudienceRestriction><saml:Audience>${contents.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${time(contents.authenticated_at)}"><saml:AuthnContext><saml:AuthnContextClassRef>${contents.context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`;
}

export function responseOf(contents: AssertionContents, content: string, status = 'Success'): string {
  const responseTo = contents.in_response_to === undefined ? '' : ` InResponseTo="${contents.in_response_to}"`;
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${time(contents.issued_at)}" Destination="${contents.destination}"${responseTo}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${contents.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${content}</samlp:Response>`;
}

export function signed(
  xml: string,
  element: 'Assertion' | 'Response',
  { key, certificate }: { key: string; certificate: string },
  algorithms = sha256,
): string {
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const path = element === 'Response' ? '/*' : "//*[local-name(.)='Assertion']";
  const signature = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: (algorithms.canonicalization ?? exclusive) as never,
  });
  signature.addReference({
    xpath: path,
    digestAlgorithm: algorithms.digest,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      algorithms.canonicalization ?? exclusive,
    ] as never,
  });
  const location = { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signature.computeSignature(xml, { location });
  return signature.getSignedXml();
}

export function metadataOf(issuer: string, certificates: string[], more = ''): string {
  const keys = certificates.map((pem) => {
    const base64 = pem.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').trim();
    return `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>\n${base64}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"${more}><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${issuer}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${issuer}/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
}

/** Posts the form like a browser on the provider's site: without cookies of the service. @returns the redirect target */
export async function postCrossSite({
  acs,
  fields,
}: Posted): Promise<{ status: number; location: string | null; text: string }> {
  const response = await fetch(acs, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams(fields as Record<string, string>),
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}
