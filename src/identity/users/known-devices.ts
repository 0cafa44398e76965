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

const id_bytes = 16;
const name_characters = 12;

interface KnownDevices {
  /** What the cookie of a user is called, so that a browser that several people use has one of each. */
  nameOf(user_id: string): string;
  /** @param known the value that the browser has already: its id stays */
  issue(user_id: string, known?: string): string;
  /** @returns the id of the device; undefined when the value was not issued here for that user */
  idOf(user_id: string, value: string | undefined): string | undefined;
}

export function createKnownDevices(encryption_keys: EncryptionKeys): KnownDevices {
  const keys = encryption_keys.map((key) => deriveKey(key, 'known-devices'));
  const seals = (user_id: string, id: Buffer) =>
    keys.map((key) => createHmac('sha256', key).update(`${user_id}\n`).update(id).digest());
  const idOf = (user_id: string, value: string | undefined) => {
    if (!value) return undefined;
    const bytes = Buffer.from(value, 'base64url');
    const [id, seal] = [bytes.subarray(0, id_bytes), bytes.subarray(id_bytes)];
    return seals(user_id, id).some((each) => sameSecret(each, seal)) ? id : undefined;
  };
  return {
    // By a fixed key: a rotation must not make devices unknown.
    nameOf: (user_id) =>
      createHmac('sha256', 'known-device').update(user_id).digest('base64url').slice(0, name_characters),
    issue(user_id, known) {
      const id = idOf(user_id, known) ?? randomBytes(id_bytes);
      return Buffer.concat([id, seals(user_id, id)[0]!]).toString('base64url');
    },
    idOf: (user_id, value) => idOf(user_id, value)?.toString('base64url'),
  };
}
