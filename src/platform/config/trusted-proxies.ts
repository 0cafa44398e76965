/** TRUST_PROXY: the proxies whose forwarded headers are trusted. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** Names that express knows for ranges of addresses. */
const ranges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Comma-separated addresses, subnets and ranges. Neither `true` (everybody is trusted) nor a number of hops (who
 * connects past the proxy is believed) is taken: with both a client could choose the address that limits count it by.
 */
export const trustedProxies = z.string().superRefine((text, context) => {
  const wrong = text
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !isTrustable(entry));
  if (wrong === undefined) return;
  const message = `must list addresses, subnets (10.0.0.0/8) or ${ranges.join(', ')}, separated by commas; "${wrong}" is none of these`;
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

/** Addresses that are nobody's on the internet (RFC 6890). */
const private_ranges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'];
const private_ranges_v6 = ['fc00::/7', 'fe80::/10', '::1/128'];

/** How much of the internet the proxies of one service can be, in bits: the largest networks of content have less. */
const fewest_bits = { 4: 8, 6: 16 } as const;

/** Whether a list that `trustedProxies` takes has more of the internet than any proxy does, in one piece or in many. */
export function trustsTheWorld(list: string): boolean {
  const shares = { 4: 0, 6: 0 };
  for (const entry of list.split(',').map((each) => each.trim())) {
    if (ranges.includes(entry)) continue;
    const { address, bits, version } = subnetOf(entry);
    if (!isPrivate(address, bits, version)) shares[version] += 2 ** -bits;
  }
  return shares[4] > 2 ** -fewest_bits[4] || shares[6] > 2 ** -fewest_bits[6];
}

interface Subnet {
  address: string;
  bits: number;
  version: 4 | 6;
}

/** What is written as IPv6 but stands for IPv4 is that (RFC 4291, section 2.5.5.2). */
function subnetOf(entry: string): Subnet {
  const [text = '', length] = entry.split('/');
  const version = isIP(text) === 6 ? 6 : 4;
  const bits = length === undefined ? (version === 4 ? 32 : 128) : Number(length);
  const mapped = /^::ffff:/i.test(text) && bits >= 96;
  if (version === 4 || !mapped) return { address: text, bits, version };
  return { address: text.slice('::ffff:'.length), bits: bits - 96, version: 4 };
}

function isPrivate(address: string, bits: number, version: 4 | 6): boolean {
  return (version === 4 ? private_ranges : private_ranges_v6).some((range) => {
    const [base = '', length] = range.split('/');
    const inside = new BlockList();
    inside.addSubnet(base, Number(length), version === 4 ? 'ipv4' : 'ipv6');
    return bits >= Number(length) && isIP(address) === version && inside.check(address, version === 4 ? 'ipv4' : 'ipv6');
  });
}
