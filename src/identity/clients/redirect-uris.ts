/** Validates and normalizes redirect URIs. They are stored and compared as serialized by the URL parser. */
import { isHost, parseAddress } from '../../platform/values/host-names.ts';

export type RedirectUriError = 'no_uri' | 'fragment' | 'credentials' | 'host' | 'scheme' | 'too_long';

/** Of the serialized form, which may be longer than the input. */
const longest = 2_048;

/**
 * Allows https anywhere; http on loopback only, where any port matches (RFC 8252, section 7.3); and for public clients custom
 * schemes, which must contain a dot (section 7.1).
 * @returns the error, if any
 */
export function redirectUriError(uri: string, isPublic: boolean): RedirectUriError | undefined {
  const url = parseAddress(uri);
  if (!url) return 'no_uri';
  if (url.href.length > longest) return 'too_long';
  if (url.href.includes('#')) return 'fragment';
  if (url.username || url.password) return 'credentials';
  // A custom scheme may have no host.
  if (url.hostname && !isHost(url.hostname)) return 'host';
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'https:' && !loopback) return undefined;
  if (url.protocol === 'http:' && loopback) return undefined;
  if (isPublic && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return 'scheme';
}

/** Normalizes and deduplicates. @param uris valid redirect URIs */
export function normalizeUris(uris: readonly string[]): string[] {
  return [...new Set(uris.map((uri) => new URL(uri).href))];
}

/** @param hostname as in `URL` */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
