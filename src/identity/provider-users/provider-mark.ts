/**
 * What stands in the place of a password for a user whom a company's identity provider signs in. No password matches it, and another
 * one ends their sessions, as another password does (`passwordMark`).
 */
import { newSecret } from '../../platform/secrets/secrets.ts';

const ofProvider = 'provider ';

export function newProviderMark(): string {
  return ofProvider + newSecret();
}

export function isOfProvider(stored: string): boolean {
  return stored.startsWith(ofProvider);
}
