/** Checks a response before its signature is verified: destination, issuer, a single assertion, and strong algorithms. */
import { children, elements, namespaces, parseXml, type XmlElement, XmlError } from './xml.ts';

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Without SHA-1, which is broken. */
const algorithms: Record<string, readonly string[]> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
};

/** @throws XmlError */
export function validateResponse(xml: string, expected: { issuer: string; acs_url: string }): void {
  const root = parseXml(xml, true);
  if (root.namespaceURI !== namespaces.protocol || root.localName !== 'Response') {
    throw new XmlError('the XML is not a response');
  }
  requireSuccess(root);
  const destination = root.getAttribute('Destination');
  if (destination && destination !== expected.acs_url) throw new XmlError(`the response is for ${destination}`);
  const [issuer] = children(root, namespaces.assertion, 'Issuer');
  if (issuer && issuer.textContent?.trim() !== expected.issuer) {
    throw new XmlError(`the response was issued by ${issuer.textContent?.trim()}, not by ${expected.issuer}`);
  }
  if (elements(root, '*', 'EncryptedAssertion').length > 0) {
    throw new XmlError('the assertion is encrypted: turn encryption off in the provider');
  }
  // At any depth: signature wrapping hides a second response or assertion.
  if (elements(root, '*', 'Response').length > 0) throw new XmlError('the response contains another response');
  const all = elements(root, '*', 'Assertion');
  if (all.length !== 1) throw new XmlError(`the response has ${all.length} assertions`);
  if (children(root, namespaces.assertion, 'Assertion').length !== 1) throw new XmlError('the assertion is misplaced');
  requireAlgorithms(root);
}

/** @throws XmlError with the provider's own status codes and message */
function requireSuccess(root: XmlElement): void {
  const [status] = children(root, namespaces.protocol, 'Status');
  const codes = status ? elements(status, namespaces.protocol, 'StatusCode') : [];
  if (codes[0]?.getAttribute('Value') === success) return;
  const [message] = status ? elements(status, namespaces.protocol, 'StatusMessage') : [];
  const statusTexts = [...codes.map((code) => code.getAttribute('Value')), message?.textContent?.trim()].filter(
    Boolean,
  );
  throw new XmlError(`the provider did not sign the person in: ${statusTexts.join(', ').slice(0, 300) || 'no status'}`);
}

function requireAlgorithms(root: XmlElement): void {
  for (const [name, allowed] of Object.entries(algorithms)) {
    for (const each of elements(root, '*', name)) {
      const algorithm = each.getAttribute('Algorithm') ?? '';
      if (!allowed.includes(algorithm)) throw new XmlError(`the signature uses ${algorithm || 'no algorithm'}`);
    }
  }
}
