/** Parses TRUST_PROXY, the proxies whose forwarded headers are trusted. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** Express's names for address ranges. */
const subnets: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const ranges = Object.keys(subnets);

/** `true` and a number of hops are invalid: with either, a client could choose the address that rate limits use. */
export const trustedProxies = z.string().superRefine((text, context) => {
  const invalid = text
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !isTrustable(entry));
  if (invalid === undefined) return;
  const message = `must list addresses, subnets (10.0.0.0/8), or ${ranges.join(', ')}, separated by commas; "${invalid}" is none of these`;
  context.addIssue({ code: 'custom', message });
});

function isTrustable(entry: string): boolean {
  if (ranges.includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

export function proxyAddresses(list: string | undefined): BlockList {
  const addresses = new BlockList();
  for (const entry of list?.split(',').map((each) => each.trim()) ?? []) {
    for (const subnet of subnets[entry] ?? [entry]) {
      const { address, bits, version } = subnetOf(subnet);
      addresses.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
    }
  }
  return addresses;
}

/** Private address ranges (RFC 6890). */
const privateRanges = [...Object.values(subnets).flat(), '100.64.0.0/10'].map(subnetOf);

/** The largest share of the internet that a service's proxies may have, as a prefix length: the largest CDNs are smaller. */
const minBits = { 4: 8, 6: 16 } as const;

/** Whether a valid list includes more of the internet than any proxy has, in one subnet or many. */
export function trustsPublicInternet(list: string): boolean {
  const shares = { 4: 0, 6: 0 };
  for (const entry of list.split(',').map((each) => each.trim())) {
    if (ranges.includes(entry)) continue;
    const { address, bits, version } = subnetOf(entry);
    if (!isPrivate(address, bits, version)) shares[version] += 2 ** -bits;
  }
  return shares[4] > 2 ** -minBits[4] || shares[6] > 2 ** -minBits[6];
}

interface Subnet {
  address: string;
  bits: number;
  version: 4 | 6;
}

/** An IPv4-mapped IPv6 address counts as IPv4 (RFC 4291, section 2.5.5.2). */
function subnetOf(entry: string): Subnet {
  const [text = '', length] = entry.split('/');
  const version = isIP(text) === 6 ? 6 : 4;
  const bits = length === undefined ? (version === 4 ? 32 : 128) : Number(length);
  const mapped = version === 6 && bits >= 96 ? mappedAddress(text) : undefined;
  return mapped ? { address: mapped, bits: bits - 96, version: 4 } : { address: text, bits, version };
}

function mappedAddress(text: string): string | undefined {
  const [, end] = /^::ffff:(.+)$/i.exec(text) ?? [];
  if (end === undefined || isIP(end) === 4) return end;
  const groups = end.split(':').map((group) => Number.parseInt(group, 16));
  return groups.length === 2 ? groups.flatMap((group) => [group >> 8, group & 255]).join('.') : undefined;
}

function isPrivate(address: string, bits: number, version: 4 | 6): boolean {
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return privateRanges.some((range) => {
    if (range.version !== version || bits < range.bits || isIP(address) !== version) return false;
    const inside = new BlockList();
    inside.addSubnet(range.address, range.bits, family);
    return inside.check(address, family);
  });
}
