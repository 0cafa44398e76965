/**
 * The service provider in SP-initiated web browser SSO (SAML 2.0 profiles, section 4.1). node-saml implements the protocol and
 * verifies signatures; `assertion.ts` checks the rest.
 */
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Claims } from '../claims.ts';
import type { SamlConnection } from '../connection-at-sign-in.ts';
import { claimsOfAssertion } from './assertion.ts';
import { maxAgeMs, skewMs } from './clock.ts';
import { validateResponse } from './response.ts';
import { XmlError } from './xml.ts';

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

interface SamlRequest {
  request_id: string;
}

/** Each connection has its own addresses, so that an assertion for one has the wrong audience for any other. */
export function serviceAddresses(baseUrl: string, connectionId: string): { entity_id: string; acs_url: string } {
  const address = `${baseUrl}/oauth/connections/${connectionId}`;
  return { entity_id: `${address}/metadata`, acs_url: `${address}/acs` };
}

export function serviceMetadata(baseUrl: string, connection: Pick<SamlConnection, 'id' | 'subject_attribute'>): string {
  const { entity_id: issuer, acs_url: callbackUrl } = serviceAddresses(baseUrl, connection.id);
  return generateServiceProviderMetadata({
    issuer,
    callbackUrl,
    identifierFormat: formatFor(connection),
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${connection.id}`,
  });
}

/** @returns the URL at the provider to which the browser is sent */
export function authorizeUrl(
  connection: SamlConnection,
  baseUrl: string,
  { request_id: requestId, relay_state: relayState, again }: SamlRequest & { relay_state: string; again: boolean },
): Promise<string> {
  const saml = samlOf(connection, baseUrl, requestId, again);
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
}

/**
 * @param response base64, from the posted form
 * @throws if the response isn't a valid one of this provider to this request; the message of an XmlError is for an admin
 */
export async function verifyResponse(
  connection: SamlConnection,
  baseUrl: string,
  asked: SamlRequest,
  response: string,
): Promise<Claims & { assertion_id: string }> {
  const { acs_url: acsUrl } = serviceAddresses(baseUrl, connection.id);
  validateResponse(decoded(response), { issuer: connection.issuer, acs_url: acsUrl });
  const saml = samlOf(connection, baseUrl, asked.request_id);
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
  const assertion = profile?.getAssertion?.();
  if (!assertion) throw new XmlError('the response has no assertion');
  const expected = { ...asked, issuer: connection.issuer, acs_url: acsUrl };
  return claimsOfAssertion(assertion, expected, connection.subject_attribute);
}

function samlOf(connection: SamlConnection, baseUrl: string, requestId: string, forceAuthn = false): SAML {
  const { entity_id: issuer, acs_url: callbackUrl } = serviceAddresses(baseUrl, connection.id);
  return new SAML({
    issuer,
    audience: issuer,
    callbackUrl,
    entryPoint: connection.sso_url,
    idpCert: connection.certificates,
    idpIssuer: connection.issuer,
    identifierFormat: formatFor(connection),
    // Let the provider choose the method: requesting one would exclude stronger ones.
    disableRequestedAuthnContext: true,
    forceAuthn,
    wantAssertionsSigned: true,
    // Providers sign the assertion, the response, or both. Only the assertion is read.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: maxAgeMs,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    // Accepts a response to this request only; `consumeRequest` consumes the request.
    cacheProvider: {
      saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
}

function formatFor({ subject_attribute: attribute }: Pick<SamlConnection, 'subject_attribute'>): string | null {
  return attribute === null ? persistent : null;
}

/** Decodes as node-saml does, so that both read the same text. */
function decoded(response: string): string {
  return Buffer.from(response, 'base64').toString('utf8');
}
