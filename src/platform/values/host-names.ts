/**
 * Addresses that others give us, as redirect URIs and URLs of webhooks. The URL standard parses hosts that no DNS has: `*.example`,
 * `a..b`, `xn--`, `b.example';`. It also drops tabs and line breaks, so a text can be another address than it looks.
 */
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

const longestName = 253;
/** Underscores stand in no public host name, but in those of containers. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const droppedByParsers = /[\u0000-\u001f\u007f-\u009f]|^ | $/;

/** @returns undefined when it is no URL, and when a parser would leave out something of it */
export function parseAddress(text: string): URL | undefined {
  return droppedByParsers.test(text) ? undefined : (URL.parse(text) ?? undefined);
}

/**
 * Whether a host can exist: an IP address, or a name of DNS (RFC 1123, section 2.1), which may end with a dot.
 * @param hostname as `URL` writes it
 */
export function isHost(hostname: string): boolean {
  if (hostname.startsWith('[') || isIP(hostname)) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= longestName && name.split('.').every(isLabel);
}

/** What is written as an internationalized label has to be one (RFC 5890, section 2.3.2.1). */
function isLabel(text: string): boolean {
  if (!label.test(text)) return false;
  return !/^xn--/i.test(text) || !/^xn--/i.test(domainToUnicode(text));
}
