/** Passwords: argon2id with the parameters that OWASP's password storage cheat sheet names first. */
import { hash, verify } from '@node-rs/argon2';
import { newSecret } from '../secrets.ts';

const argon2id = 2; // the package's `Algorithm.Argon2id`, a const enum that isolated modules can't read
const parameters = { algorithm: argon2id, memoryCost: 19_456 /* KiB */, timeCost: 2, parallelism: 1 };

/** What a password is compared with where there is none to compare with. */
const dummy_hash = hash(newSecret(), parameters);

/** @returns a PHC string with its own salt and parameters */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/**
 * Whether the password is the right one. Takes as long for an account without a password, or for no account at all, so
 * that time does not tell which accounts exist.
 * @param stored what `hashPassword` returned, null or undefined when there is none
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored || (await dummy_hash), password);
  return matches && Boolean(stored);
}
