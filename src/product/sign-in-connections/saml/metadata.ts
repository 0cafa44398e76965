/** Reads the metadata of a SAML provider (SAML 2.0 metadata, section 2.4.3): its entity ID, sign-in URL, and certificates. */
import { readCertificate } from './certificates.ts';
import { children, elements, namespaces, parseXml, type XmlElement, XmlError } from './xml.ts';

export interface SamlProvider {
  entity_id: string;
  sso_url: string;
  /** In PEM. */
  certificates: string[];
}

const maxCertificates = 10;
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** @throws XmlError */
export function readMetadata(xml: string): SamlProvider {
  const root = parseXml(xml.replace(/^\uFEFF/, '').trim());
  const provider = providerIn(root);
  const until = provider.getAttribute('validUntil');
  if (until && Date.parse(until) < Date.now()) throw new XmlError('the metadata has expired');
  const entityId = provider.getAttribute('entityID') ?? '';
  if (entityId === '' || entityId.length > 1_024) throw new XmlError('the metadata has no entity ID');
  const [descriptor] = children(provider, namespaces.metadata, 'IDPSSODescriptor');
  const services = children(descriptor!, namespaces.metadata, 'SingleSignOnService');
  const service = services.find((each) => each.getAttribute('Binding') === redirect);
  const ssoUrl = service?.getAttribute('Location');
  if (!ssoUrl) throw new XmlError('the metadata has no SingleSignOnService with the binding HTTP-Redirect');
  const certificates = certificatesIn(descriptor!);
  if (certificates.length === 0)
    throw new XmlError('the metadata has no certificate with an RSA key of 2,048 bits or more');
  return { entity_id: entityId, sso_url: ssoUrl, certificates: certificates.slice(0, maxCertificates) };
}

/** Also accepts federation metadata with a single provider. */
function providerIn(root: XmlElement): XmlElement {
  const all = [root, ...elements(root, namespaces.metadata, 'EntityDescriptor')].filter(
    (each) =>
      each.namespaceURI === namespaces.metadata &&
      each.localName === 'EntityDescriptor' &&
      children(each, namespaces.metadata, 'IDPSSODescriptor').length > 0,
  );
  if (all.length !== 1) throw new XmlError('the metadata must describe one identity provider');
  return all[0]!;
}

/** Certificates for signing, or without a stated use. */
function certificatesIn(descriptor: XmlElement): string[] {
  const keys = children(descriptor, namespaces.metadata, 'KeyDescriptor').filter(
    (each) => (each.getAttribute('use') || 'signing') === 'signing',
  );
  const found = keys.flatMap((key) => elements(key, namespaces.signature, 'X509Certificate'));
  return [...new Set(found.flatMap(({ textContent }) => readCertificate(textContent ?? '') ?? []))];
}
