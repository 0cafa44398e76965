/**
 * Validates URLs from clients, such as redirect URIs and webhook URLs. The URL standard accepts hosts that can't exist in DNS:
 * `*.example`, `a..b`, `xn--`, `b.example';`. It also drops tabs and line breaks, so a URL may not be what it looks like.
 */
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

const maxName = 253;
/** Public host names have no underscores, but container names do. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const droppedByParsers = /[\u0000-\u001f\u007f-\u009f]|^ | $/;

/** @returns undefined for an invalid URL, and for one with characters that parsers drop */
export function parseAddress(text: string): URL | undefined {
  return droppedByParsers.test(text) ? undefined : (URL.parse(text) ?? undefined);
}

/** Whether it is an IP address or a valid DNS name (RFC 1123, section 2.1). @param hostname as in `URL` */
export function isHost(hostname: string): boolean {
  if (hostname.startsWith('[') || isIP(hostname)) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= maxName && name.split('.').every(isLabel);
}

/** A label with the prefix xn-- must be a valid A-label (RFC 5890, section 2.3.2.1). */
function isLabel(text: string): boolean {
  if (!label.test(text)) return false;
  return !/^xn--/i.test(text) || !/^xn--/i.test(domainToUnicode(text));
}
