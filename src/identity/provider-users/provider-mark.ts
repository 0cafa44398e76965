/** Replaces the password hash of provider users. No password matches it, and changing it ends their sessions (`passwordMark`). */
import { newSecret } from '../../platform/secrets/secrets.ts';

const ofProvider = 'provider ';

export function newProviderPlaceholder(): string {
  return ofProvider + newSecret();
}

export function isOfProvider(stored: string): boolean {
  return stored.startsWith(ofProvider);
}
