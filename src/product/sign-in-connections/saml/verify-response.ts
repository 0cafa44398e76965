/**
 * Verifies a SAML response in three steps: checks before its signature (`response-checks.ts`), the signature, by node-saml, and the
 * signed assertion (`verified-assertion.ts`).
 */
import type { Claims } from '../claims.ts';
import type { SamlConnection } from '../connection-at-sign-in.ts';
import { validateResponse } from './response-checks.ts';
import { type SamlRequest, samlOf, serviceAddresses } from './service-provider.ts';
import { claimsOfAssertion } from './verified-assertion.ts';
import { XmlError } from './xml.ts';

/**
 * @param response base64, from the posted form
 * @throws if the response isn't a valid one of this provider to this request; the message of an XmlError is for an admin
 */
export async function verifyResponse(
  connection: SamlConnection,
  baseUrl: string,
  request: SamlRequest,
  response: string,
): Promise<Claims & { assertion_id: string }> {
  const { acs_url: acsUrl } = serviceAddresses(baseUrl, connection.id);
  validateResponse(decoded(response), { issuer: connection.issuer, acs_url: acsUrl });
  const saml = await samlOf(connection, baseUrl, request.request_id);
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
  const assertion = profile?.getAssertion?.();
  if (!assertion) throw new XmlError('the response has no assertion');
  const expected = { ...request, issuer: connection.issuer, acs_url: acsUrl };
  return claimsOfAssertion(assertion, expected, connection.subject_attribute);
}

/** Decodes as node-saml does, so that both read the same text. */
function decoded(response: string): string {
  return Buffer.from(response, 'base64').toString('utf8');
}
