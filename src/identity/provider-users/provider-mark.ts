/**
 * Replaces the password hash of users whom a company's identity provider signs in. No password matches it, and changing it ends
 * their sessions, like a password change (`passwordMark`).
 */
import { newSecret } from '../../platform/secrets/secrets.ts';

const ofProvider = 'provider ';

export function newProviderMark(): string {
  return ofProvider + newSecret();
}

export function isOfProvider(stored: string): boolean {
  return stored.startsWith(ofProvider);
}
