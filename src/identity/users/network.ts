/** The network that attempts from an address count for. */
import { isIPv6 } from 'node:net';

/** @returns an IPv4 address unchanged; the /64 of an IPv6 address, which usually belongs to one subscriber */
export function network(address = ''): string {
  return groupsOf(address)?.slice(0, 4).join(':') ?? plain(address);
}

/** @returns the /48 of an IPv6 address, which providers assign to one customer; undefined for IPv4 */
export function site(address = ''): string | undefined {
  return groupsOf(address)?.slice(0, 3).join(':');
}

/** Unwraps an IPv4-mapped address. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] | undefined {
  if (!isIPv6(plain(address))) return undefined;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return [...groups, ...zeros, ...rest].map((group) => Number.parseInt(group, 16).toString(16));
}
