/**
 * Encryption at rest, hashes to look up secrets by, and comparison in constant time.
 *
 * Every purpose has its own key, derived from the configured key (HKDF, RFC 5869), so that a value encrypted for one
 * purpose can not be decrypted as another. Every value is bound to its place, too (associated data of AES-GCM): what was sealed
 * for one row does not open in another, so who can write to the database gains nothing by moving sealed values about. During a
 * rotation there are several configured keys.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 8;

/** The configured keys, 32 bytes each: the first encrypts, all of them decrypt. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

/** Where a value is: table, column and the key of its row; or what stands for these, where there is no row. */
export type Place = readonly [string, ...(string | Buffer)[]];

/** Seals and opens texts with AES-256-GCM: the id of the key, then nonce, tag and ciphertext. */
export interface Vault {
  /** What every text begins with that is sealed now: a text that begins with something else is of an older key. */
  key_id: Buffer;
  seal(plaintext: string, place: Place): Buffer;
  /** @throws UnknownKey when none of our keys sealed them; when they were sealed for another purpose or place, or changed */
  open(sealed: Buffer, place: Place): string;
}

/**
 * @param keys from the configuration
 * @param purpose what is sealed, for example `signing-keys`
 */
export function vault(keys: EncryptionKeys, purpose: string): Vault {
  const known = keys.map((key) => ({
    id: keyId(key),
    derived: createSecretKey(deriveKey(key, purpose)), // bytes would be looked at anew for each use: 14 in place of 3 µs
  }));
  const { id: newestId, derived: newest } = known[0]!;
  return {
    key_id: newestId,
    seal(plaintext, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(associated(place));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([newestId, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, place) {
      const named = known.find(({ id }) => sealed.subarray(0, keyIdBytes).equals(id));
      if (!named) throw new UnknownKey();
      return decrypt(named.derived, sealed.subarray(keyIdBytes), associated(place));
    },
  };
}

/** Encrypted with a key that is not among the configured ones. */
export class UnknownKey extends Error {
  override name = 'UnknownKey';
  constructor() {
    super('encrypted with a key that is not in ENCRYPTION_KEY');
  }
}

/** Each part with its length, so that no two places look the same. */
function associated(place: Place): Buffer {
  const parts = place.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}:`), part]));
}

function decrypt(key: KeyObject, sealed: Buffer, associatedData: Buffer): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData).setAuthTag(tag);
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

/** Names a key, and the form of what is sealed with it, without telling anything about it. */
export function keyId(key: Buffer): Buffer {
  return deriveKey(key, 'key-id bound to a place').subarray(0, keyIdBytes);
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
