/** Network addresses blocked for webhooks (SSRF protection): companies choose the URLs, which could reach internal services. */
import { BlockList, isIPv6 } from 'node:net';

interface Range {
  range: string;
  description: string;
  source: string;
}

/**
 * From IANA's registries of special-purpose addresses. IPv4-mapped IPv6 addresses (`::ffff:0:0/96`) count as IPv4; forms that a
 * gateway would translate to IPv4 are blocked entirely.
 */
export const refusedRanges: readonly Range[] = [
  { range: '0.0.0.0/8', description: 'this host, this network', source: 'RFC 791, 3.2' },
  { range: '10.0.0.0/8', description: 'private', source: 'RFC 1918' },
  { range: '100.64.0.0/10', description: 'shared by the customers of a provider', source: 'RFC 6598' },
  { range: '127.0.0.0/8', description: 'loopback', source: 'RFC 1122, 3.2.1.3' },
  {
    range: '168.63.129.16/32',
    description: 'the host of a machine in Azure',
    source: 'Azure: What is IP address 168.63.129.16?',
  },
  { range: '169.254.0.0/16', description: 'link-local, and the metadata of most clouds', source: 'RFC 3927' },
  { range: '172.16.0.0/12', description: 'private', source: 'RFC 1918' },
  { range: '192.0.0.0/24', description: 'protocol assignments', source: 'RFC 6890, 2.1' },
  { range: '192.0.2.0/24', description: 'documentation (TEST-NET-1)', source: 'RFC 5737' },
  { range: '192.88.99.0/24', description: 'relays of 6to4', source: 'RFC 7526' },
  { range: '192.168.0.0/16', description: 'private', source: 'RFC 1918' },
  { range: '198.18.0.0/15', description: 'benchmarks', source: 'RFC 2544' },
  { range: '198.51.100.0/24', description: 'documentation (TEST-NET-2)', source: 'RFC 5737' },
  { range: '203.0.113.0/24', description: 'documentation (TEST-NET-3)', source: 'RFC 5737' },
  { range: '224.0.0.0/4', description: 'multicast', source: 'RFC 1112, 4' },
  { range: '240.0.0.0/4', description: 'reserved', source: 'RFC 1112, 4' },
  { range: '255.255.255.255/32', description: 'everyone in this network', source: 'RFC 919' },
  { range: '::/128', description: 'unspecified', source: 'RFC 4291, 2.5.2' },
  { range: '::1/128', description: 'loopback', source: 'RFC 4291, 2.5.3' },
  { range: '::/96', description: 'holds an IPv4 address (compatible)', source: 'RFC 4291, 2.5.5.1' },
  { range: '::ffff:0:0:0/96', description: 'holds an IPv4 address (translated)', source: 'RFC 2765, 2.1' },
  { range: '64:ff9b::/96', description: 'holds an IPv4 address (NAT64)', source: 'RFC 6052' },
  { range: '64:ff9b:1::/48', description: 'holds an IPv4 address (NAT64 of one network)', source: 'RFC 8215' },
  { range: '100::/64', description: 'discarded', source: 'RFC 6666' },
  { range: '2001::/23', description: 'protocol assignments', source: 'RFC 2928' },
  { range: '2001::/32', description: 'holds an IPv4 address (Teredo)', source: 'RFC 4380' },
  { range: '2001:db8::/32', description: 'documentation', source: 'RFC 3849' },
  { range: '2002::/16', description: 'holds an IPv4 address (6to4)', source: 'RFC 3056' },
  { range: '3fff::/20', description: 'documentation', source: 'RFC 9637' },
  { range: '5f00::/16', description: 'segment routing', source: 'RFC 9602' },
  { range: 'fc00::/7', description: 'private, and the metadata of a cloud (fd00:ec2::254)', source: 'RFC 4193' },
  { range: 'fe80::/10', description: 'link-local', source: 'RFC 4291, 2.5.6' },
  { range: 'fec0::/10', description: 'private (site-local)', source: 'RFC 3879' },
  { range: 'ff00::/8', description: 'multicast', source: 'RFC 4291, 2.7' },
];

const refused = new BlockList();
for (const { range } of refusedRanges) {
  const [network, bits] = range.split('/') as [string, string];
  refused.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
}

export function isRefusedAddress(address: string): boolean {
  return refused.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
