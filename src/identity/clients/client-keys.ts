/** Public keys of clients that authenticate with a signature instead of a secret (`private_key_jwt`, RFC 7523). */
import { createPublicKey, type JsonWebKey } from 'node:crypto';

export const keyAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

const minRsaBits = 2_048;
const maxRsaBits = 4_096;

/** @returns whether it is a P-256, Ed25519, or RSA key (2,048 to 4,096 bits) */
export function isUsableKey(key: object): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey({
      key: key as JsonWebKey,
      format: 'jwk',
    });
    if (type === 'ed25519') return true;
    if (type === 'ec') return details?.namedCurve === 'prime256v1';
    const bits = details?.modulusLength ?? 0;
    return type === 'rsa' && bits >= minRsaBits && bits <= maxRsaBits;
  } catch {
    return false;
  }
}
