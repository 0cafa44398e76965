/**
 * Browsers that have signed in as somebody before. They carry a cookie that says so, and have tries of their own: the wrong
 * passwords of strangers, who have no such cookie, do not lock a person out of the devices they use ("device cookies" of OWASP).
 * Guessing gets no easier by it: only who knew the password once gets the cookie, and its tries are as few as those of an account.
 *
 * The cookie holds a random id and a seal over it and the user; nothing is stored here. It says nothing about who they are, and is
 * no sign-in: without the password it opens nothing.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { deriveKey, type EncryptionKeys, sameSecret } from '../../platform/secrets/secrets.ts';

const idBytes = 16;
const nameCharacters = 12;

interface KnownDevices {
  /** What the cookie of a user is called, so that a browser that several people use has one of each. */
  nameOf(userId: string): string;
  /** @param known the value that the browser has already: its id stays */
  issue(userId: string, known?: string): string;
  /** @returns the id of the device; undefined when the value was not issued here for that user */
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
    // By a fixed key: a rotation must not make devices unknown.
    nameOf: (userId) =>
      createHmac('sha256', 'known-device').update(userId).digest('base64url').slice(0, nameCharacters),
    issue(userId, known) {
      const id = idOf(userId, known) ?? randomBytes(idBytes);
      return Buffer.concat([id, seals(userId, id)[0]!]).toString('base64url');
    },
    idOf: (userId, value) => idOf(userId, value)?.toString('base64url'),
  };
}
