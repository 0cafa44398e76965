/**
 * The service provider in SP-initiated web browser SSO (SAML 2.0 profiles, section 4.1). node-saml implements the protocol. It is
 * loaded at the first sign-in with SAML, because many companies have none, and it has 90 modules.
 */
import type { SAML } from '@node-saml/node-saml';
import type { SamlConnection } from '../connection-at-sign-in.ts';
import { maxAgeMs, skewMs } from './clock.ts';

const loadLibrary = () => import('@node-saml/node-saml');

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

export interface SamlRequest {
  request_id: string;
}

/** Each connection has its own addresses, so that an assertion for one has the wrong audience for any other. */
export function serviceAddresses(baseUrl: string, connectionId: string): { entity_id: string; acs_url: string } {
  const address = `${baseUrl}/oauth/connections/${connectionId}`;
  return { entity_id: `${address}/metadata`, acs_url: `${address}/acs` };
}

export async function serviceMetadata(
  baseUrl: string,
  connection: Pick<SamlConnection, 'id' | 'subject_attribute'>,
): Promise<string> {
  const { generateServiceProviderMetadata } = await loadLibrary();
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
export async function authorizeUrl(
  connection: SamlConnection,
  baseUrl: string,
  {
    request_id: requestId,
    relay_state: relayState,
    again: reauthenticate,
  }: SamlRequest & { relay_state: string; again: boolean },
): Promise<string> {
  const saml = await samlOf(connection, baseUrl, requestId, reauthenticate);
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
}

/** node-saml for one request. @param forceAuthn whether the person has to sign in again */
export async function samlOf(
  connection: SamlConnection,
  baseUrl: string,
  requestId: string,
  forceAuthn = false,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await loadLibrary();
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
