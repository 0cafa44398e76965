/** Certificates of SAML providers. Only the key matters, not the expiry: providers keep signing with expired certificates. */
import { X509Certificate } from 'node:crypto';
import type { components } from '../../../../generated/api.ts';

type SamlCertificate = components['schemas']['SamlCertificate'];

const minKeyBits = 2_048;

/**
 * @param text PEM, or base64 with any white space, as in metadata
 * @returns PEM; undefined unless it is a certificate of an RSA key that is long enough
 */
export function readCertificate(text: string): string | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    return type === 'rsa' && (details?.modulusLength ?? 0) >= minKeyBits ? certificate.toString() : undefined;
  } catch {
    return undefined;
  }
}

export function certificateResponse(pem: string): SamlCertificate {
  const certificate = new X509Certificate(pem);
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    expires_at: certificate.validToDate.toISOString(),
  };
}
