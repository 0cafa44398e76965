/** Certificates of SAML providers. What counts is the key: providers sign for years with certificates that nobody renews. */
import { X509Certificate } from 'node:crypto';
import type { components } from '../../../../generated/api.ts';

type SamlCertificate = components['schemas']['SamlCertificate'];

const weakest = 2_048;

/**
 * @param text in PEM, or in base64 with any white space, as metadata has it
 * @returns in PEM; undefined for what is no certificate of a key that can be trusted
 */
export function readCertificate(text: string): string | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    return type === 'rsa' && (details?.modulusLength ?? 0) >= weakest ? certificate.toString() : undefined;
  } catch {
    return undefined;
  }
}

export function certificateView(pem: string): SamlCertificate {
  const certificate = new X509Certificate(pem);
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    expires_at: certificate.validToDate.toISOString(),
  };
}
