/** Addresses that webhooks are never sent to. */
import { isRefusedAddress, refusedRanges } from '../../../src/product/webhooks/subscriptions/addresses.ts';

const refused: [what: string, ...addresses: string[]][] = [
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
  ['link-local', '169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::', 'fe80::1', 'febf:ffff::'],
  ['shared by customers', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.192', '192.0.0.255', '2001::', '2001:1ff:ffff::', '2001:20::1'],
  ['6to4', '192.88.99.1', '2002::', '2002:7f00:1::', '2002:ffff::'],
  ['documentation', '192.0.2.1', '198.51.100.255', '203.0.113.1', '2001:db8::1', '3fff::', '3fff:fff:ffff::'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff00::', 'ff02::1'],
  ['reserved', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['unspecified', '::'],
  ['private IPv6', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::', 'fec0::1', 'feff::'],
  [
    'IPv4 in IPv6',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::ffff:192.168.1.1',
    '::127.0.0.1',
    '::8.8.8.8',
  ],
  [
    'translated into IPv4',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '64:ff9b:1:ffff::',
    '::ffff:0:7f00:1',
  ],
  ['Teredo', '2001:0:4136:e378::1'],
  ['discarded', '100::', '100::ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::1'],
  ["a cloud's own", '168.63.129.16'],
];

const allowed: [what: string, ...addresses: string[]][] = [
  ['public', '1.1.1.1', '8.8.8.8', '2001:4860:4860::8888', '2606:4700:4700::1111', '::ffff:8.8.8.8', '::ffff:101:101'],
  ['next to private', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
  ['next to loopback', '126.255.255.255', '128.0.0.0', '1.0.0.0'],
  ['next to others', '100.63.255.255', '100.128.0.0', '169.253.255.255', '169.255.0.0', '198.17.255.255', '198.20.0.0'],
  [
    'next to documentation',
    '192.0.1.0',
    '192.0.3.0',
    '198.51.99.255',
    '203.0.114.0',
    '2001:db7::',
    '2001:db9::',
    '3fff:1000::',
  ],
  ['next to multicast', '223.255.255.255'],
  ['next to others in IPv6', '2001:200::', '2003::', '64:ff9b:2::', '100:0:0:1::'],
];

test.each(refused)('rejects %s', (_, ...addresses: string[]) => {
  expect(addresses.filter((address) => !isRefusedAddress(address))).toEqual([]);
});

test.each(allowed)('allows %s', (_, ...addresses: string[]) => {
  expect(addresses.filter(isRefusedAddress)).toEqual([]);
});

test('each range cites a source, and its first and last addresses are rejected', () => {
  const ipv6 = refusedRanges.filter(({ range }) => range.includes(':'));
  expect(ipv6.length).toBeGreaterThan(10);
  expect(refusedRanges.length - ipv6.length).toBeGreaterThan(10);
  for (const { range } of refusedRanges) {
    const [network, bits] = range.split('/') as [string, string];
    const last = range.includes(':') ? lastOfIpv6(network, Number(bits)) : lastOfIpv4(network, Number(bits));
    expect([network, last].filter((address) => !isRefusedAddress(address))).toEqual([]);
  }
  expect(refusedRanges.filter(({ source }) => !/^(RFC \d+|Azure)/.test(source))).toEqual([]);
});

function lastOfIpv4(network: string, bits: number): string {
  const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const last = first + 2 ** (32 - bits) - 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join('.');
}

function lastOfIpv6(network: string, bits: number): string {
  const [head, tail = ''] = network.split('::') as [string, string?];
  const [before, after] = [head, tail].map((groups) => groups.split(':').filter(Boolean)) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  const first = BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
  const last = first | ((1n << BigInt(128 - bits)) - 1n);
  return last.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');
}
