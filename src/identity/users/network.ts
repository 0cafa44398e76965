/** Whom attempts from a network address are counted for. */
import { isIPv6 } from 'node:net';

/**
 * @returns an IPv4 address as it is; of an IPv6 address the first 64 bits: who has one address of such a network has all
 */
export function network(address = ''): string {
  return groupsOf(address)?.slice(0, 4).join(':') ?? plain(address);
}

/**
 * @returns of an IPv6 address the first 48 bits, which is what providers hand out to one customer: 65,536 networks of 64 bits.
 *   Undefined for an IPv4 address
 */
export function site(address = ''): string | undefined {
  return groupsOf(address)?.slice(0, 3).join(':');
}

/** An IPv4 address that arrived on an IPv6 socket, as it is. */
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
