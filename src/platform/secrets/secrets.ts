/**
 * Encryption at rest, hashes for looking up secrets, and constant-time comparison.
 *
 * Every purpose has its own key, derived from the configured key (HKDF, RFC 5869), so a value encrypted for one purpose can't be
 * decrypted for another. Every value is also bound to its place (associated data of AES-GCM), so an attacker who can write to the
 * database gains nothing by moving encrypted values between rows. During a rotation there are several configured keys.
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

/** The configured keys, 32 bytes each: the first encrypts, all decrypt. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

/** The location of a value: table, column, and row key, or a substitute without a row. */
export type SealContext = readonly [string, ...(string | Buffer)[]];

/** Encrypts and decrypts texts with AES-256-GCM. Format: key id, nonce, tag, ciphertext. */
export interface Vault {
  /** The prefix of texts sealed now; any other prefix means an older key. */
  key_id: Buffer;
  seal(plaintext: string, context: SealContext): Buffer;
  /** @throws UnknownKey for an unconfigured key, and an error for another purpose or place, or altered data */
  open(sealed: Buffer, context: SealContext): string;
}

/** @param purpose what is encrypted, for example `signing-keys` */
export function vault(keys: EncryptionKeys, purpose: string): Vault {
  const known = keys.map((key) => ({
    id: keyId(key),
    derived: createSecretKey(deriveKey(key, purpose)), // raw bytes would be imported on each use: 14 instead of 3 µs
  }));
  const { id: newestId, derived: newest } = known[0]!;
  return {
    key_id: newestId,
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(associated(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([newestId, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const named = known.find(({ id }) => sealed.subarray(0, keyIdBytes).equals(id));
      if (!named) throw new UnknownKey();
      return decrypt(named.derived, sealed.subarray(keyIdBytes), associated(context));
    },
  };
}

/** Encrypted with a key that isn't configured. */
export class UnknownKey extends Error {
  override name = 'UnknownKey';
  constructor() {
    super('encrypted with a key that is not in ENCRYPTION_KEY');
  }
}

/** Prefixes each part with its length, so that places are unambiguous. */
function associated(context: SealContext): Buffer {
  const parts = context.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}:`), part]));
}

function decrypt(key: KeyObject, sealed: Buffer, associatedData: Buffer): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData).setAuthTag(tag);
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

/** Identifies a key and the format, without revealing the key. */
export function keyId(key: Buffer): Buffer {
  return deriveKey(key, 'key-id bound to a place').subarray(0, keyIdBytes);
}

/** Derives a key for one purpose from the configured key (HKDF-SHA-256). */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
}

/** SHA-256 of a secret with at least 128 random bits: enough for lookups, and useless to a reader of the table. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A new secret with 256 random bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time. */
export function sameSecret(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
