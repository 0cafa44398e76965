/** Which addresses a client may have people come back to. */

export type RedirectUriFault = 'no_uri' | 'fragment' | 'credentials' | 'scheme';

/**
 * https anywhere; http on loopback only, where any port will match (RFC 8252, section 7.3); an app's own scheme, which
 * must hold a dot (section 7.1), for public clients.
 * @returns what is wrong with it
 */
export function redirectUriFault(uri: string, is_public: boolean): RedirectUriFault | undefined {
  const url = URL.parse(uri);
  if (!url) return 'no_uri';
  if (url.href.includes('#')) return 'fragment';
  if (url.username || url.password) return 'credentials';
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'https:' && !loopback) return undefined;
  if (url.protocol === 'http:' && loopback) return undefined;
  if (is_public && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return 'scheme';
}

/** @param hostname as `URL` writes it */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
