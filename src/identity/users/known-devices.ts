/**
 * Device cookies (OWASP): browsers that have signed in as a user before have their own limit for failed sign-ins, so strangers'
 * wrong passwords don't lock users out of their devices. It doesn't make guessing easier: the cookie requires a past sign-in, and
 * its limit is the same as an account's.
 *
 * The cookie contains a random id and a MAC over it and the user; nothing is stored. It identifies nobody and grants nothing
 * without the password.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { deriveKey, type EncryptionKeys, sameSecret } from '../../platform/secrets/secrets.ts';

const idBytes = 16;
const nameCharacters = 12;

interface KnownDevices {
  /** The cookie's name for a user, so that a shared browser has one for each. */
  nameOf(userId: string): string;
  /** @param known the browser's existing value, whose id is kept */
  issue(userId: string, known?: string): string;
  /** @returns the device id; undefined for an invalid value */
  idOf(userId: string, value: string | undefined): string | undefined;
}

export function createKnownDevices(encryptionKeys: EncryptionKeys): KnownDevices {
  const keys = encryptionKeys.map((key) => deriveKey(key, 'known-devices'));
  const seals = (userId: string, id: Buffer) =>
    keys.map((key) => createHmac('sha256', key).update(`${userId}\n`).update(id).digest());
  const idOf = (userId: string, value: string | undefined) => {
    if (!value) return undefined;
    const bytes = Buffer.from(value, 'base64url');
    const [id, seal] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
    return seals(userId, id).some((each) => sameSecret(each, seal)) ? id : undefined;
  };
  return {
    // With a fixed key, so that a key rotation doesn't make devices unknown.
    nameOf: (userId) =>
      createHmac('sha256', 'known-device').update(userId).digest('base64url').slice(0, nameCharacters),
    issue(userId, known) {
      const id = idOf(userId, known) ?? randomBytes(idBytes);
      return Buffer.concat([id, seals(userId, id)[0]!]).toString('base64url');
    },
    idOf: (userId, value) => idOf(userId, value)?.toString('base64url'),
  };
}
