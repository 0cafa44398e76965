/**
 * Keeping secrets: encryption at rest, hashes to look secrets up by, and comparison in constant time.
 *
 * Every purpose has a key of its own, derived from the configured key (HKDF, RFC 5869), so that a text sealed for one
 * purpose can't be opened as another.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const nonce_bytes = 12;
const tag_bytes = 16;

/** Seals and opens texts with AES-256-GCM: nonce, then tag, then ciphertext. */
export interface Vault {
  seal(plaintext: string): Buffer;
  /** @throws when the bytes were not sealed with this key for this purpose, or were changed */
  open(sealed: Buffer): string;
}

/**
 * @param key 32 bytes, from the configuration
 * @param purpose what is sealed, for example `signing-keys`
 */
export function vault(key: Buffer, purpose: string): Vault {
  const derived = deriveKey(key, purpose);
  return {
    seal(plaintext) {
      const nonce = randomBytes(nonce_bytes);
      const cipher = createCipheriv('aes-256-gcm', derived, nonce);
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed) {
      const nonce = sealed.subarray(0, nonce_bytes);
      const tag = sealed.subarray(nonce_bytes, nonce_bytes + tag_bytes);
      const decipher = createDecipheriv('aes-256-gcm', derived, nonce, { authTagLength: tag_bytes });
      decipher.setAuthTag(tag);
      return decipher.update(sealed.subarray(nonce_bytes + tag_bytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** A key for one purpose, from the configured key (HKDF-SHA-256). */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}

/** SHA-256 of a secret with at least 128 random bits: enough to look it up by, of no use to who reads the table. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A new secret with 256 random bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in a time that tells nothing about where two values differ. */
export function sameSecret(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
