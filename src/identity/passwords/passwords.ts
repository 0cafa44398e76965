/**
 * Passwords: argon2id with the parameters that OWASP's password storage cheat sheet recommends first.
 *
 * The same password can arrive in several Unicode forms, depending on the keyboard (é as one character or as two). All
 * are normalised before they are used (RFC 8265, section 4.2).
 */
import { hash, verify } from '@node-rs/argon2';
import { newSecret, secretHash } from '../../platform/secrets/secrets.ts';
import { isOfProvider } from '../provider-users/provider-mark.ts';

const argon2id = 2; // the package's `Algorithm.Argon2id`, a const enum that isolated modules can't read
const parameters = { algorithm: argon2id, memoryCost: 19_456 /* KiB */, timeCost: 2, parallelism: 1 };

/** What a password is compared with where there is none to compare with. */
const dummyHash = hash(newSecret(), parameters);

/** @returns a PHC string with its own salt and parameters */
export function hashPassword(password: string): Promise<string> {
  return hash(normalisePassword(password), parameters);
}

/**
 * Whether the password is the right one. Takes as long for an account without a password, or for no account at all, so
 * that time does not tell which accounts exist.
 * @param stored what `hashPassword` returned, null or undefined when there is none
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const compared = stored && !isOfProvider(stored) ? stored : undefined;
  const matches = await verify(compared ?? (await dummyHash), normalisePassword(password));
  return matches && compared !== undefined;
}

/** The one form of a password: every space is a plain one, every character composed (NFC). */
export function normalisePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** What tells one password of a user from the next, and nothing about it: a session carries it and ends when it changes. */
export function passwordMark(stored: string): string {
  return secretHash(stored).toString('base64url').slice(0, 22);
}
