/**
 * Password hashing: argon2id with the first recommendation of OWASP's password storage cheat sheet. Passwords are normalized,
 * because keyboards produce different Unicode forms of the same one (RFC 8265, section 4.2).
 */
import { hash, verify } from '@node-rs/argon2';
import { newSecret, secretHash } from '../../platform/secrets/secrets.ts';
import { isOfProvider } from '../provider-users/provider-mark.ts';

const argon2id = 2; // the package's `Algorithm.Argon2id`, a const enum that isolated modules can't read
const parameters = { algorithm: argon2id, memoryCost: 19_456 /* KiB */, timeCost: 2, parallelism: 1 };

/** Compared with when there is no stored hash. */
const dummyHash = hash(newSecret(), parameters);

/** @returns a PHC string with its own salt and parameters */
export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), parameters);
}

/** Takes as long without a password or account, so that timing doesn't reveal which accounts exist. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const compared = stored && !isOfProvider(stored) ? stored : undefined;
  const matches = await verify(compared ?? (await dummyHash), normalizePassword(password));
  return matches && compared !== undefined;
}

/** Normalizes spaces and composes characters (NFC). */
export function normalizePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** A fingerprint of a password, which reveals nothing about it: a session stores it and ends when it changes. */
export function passwordMark(stored: string): string {
  return secretHash(stored).toString('base64url').slice(0, 22);
}
