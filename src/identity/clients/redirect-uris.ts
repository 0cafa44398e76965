/** Which addresses a client may have people come back to. They are kept and compared as a parser of URLs writes them. */
import { isHost, parseAddress } from '../../platform/values/host-names.ts';

export type RedirectUriFault = 'no_uri' | 'fragment' | 'credentials' | 'host' | 'scheme' | 'too_long';

/** Of what the parser writes, which may be longer than what was sent. */
const longest = 2_048;

/**
 * https anywhere; http on loopback only, where any port will match (RFC 8252, section 7.3); an app's own scheme, which
 * must hold a dot (section 7.1), for public clients.
 * @returns what is wrong with it
 */
export function redirectUriFault(uri: string, isPublic: boolean): RedirectUriFault | undefined {
  const url = parseAddress(uri);
  if (!url) return 'no_uri';
  if (url.href.length > longest) return 'too_long';
  if (url.href.includes('#')) return 'fragment';
  if (url.username || url.password) return 'credentials';
  // An app's own scheme may have none.
  if (url.hostname && !isHost(url.hostname)) return 'host';
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'https:' && !loopback) return undefined;
  if (url.protocol === 'http:' && loopback) return undefined;
  if (isPublic && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return 'scheme';
}

/** Each once, as they are kept. @param uris without a fault */
export function keptUris(uris: readonly string[]): string[] {
  return [...new Set(uris.map((uri) => new URL(uri).href))];
}

/** @param hostname as `URL` writes it */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
