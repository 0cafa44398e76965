// Non-public IP addresses: a document's URL must not give access to the private network of the machine (SSRF).
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const blocked = new BlockList();
// RFC 6890 and its registry: this host, private, shared, link-local, documentation, benchmarking, multicast, reserved.
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
  ] as const),
  ...([
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
] as const)
  blocked.addSubnet(network, bits, 'ipv4');
// Loopback, unspecified, translated IPv4 (mapped ones are checked as IPv4), local, documentation, multicast.
for (const [network, bits] of [
  ...([
    ['::', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
  ] as const),
  ...([
    ['2001:db8::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ] as const),
] as const)
  blocked.addSubnet(network, bits, 'ipv6');

/** Whether an IP address (without brackets) is not public. */
export const isPrivate = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && blocked.check(address, family === 4 ? 'ipv4' : 'ipv6');
};

/** A host name resolves to a blocked address. */
export class PrivateAddress extends Error {}

/** DNS lookup that returns the checked address itself, because a second lookup could return another one (DNS rebinding). */
export const publicLookup: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error) callback(error, '');
    else if (first === undefined || addresses.some(({ address }) => isPrivate(address)))
      callback(new PrivateAddress(name), '');
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
