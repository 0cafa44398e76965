/** Limits the connections per address, so that one machine can't lock everyone out with idle connections. Proxies are exempt. */
import type { Server } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';

export function limitConnections(
  server: Server,
  { maxPerNetwork, proxies }: { maxPerNetwork: number; proxies: BlockList },
  onRefused: () => void,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isOf(proxies, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxPerNetwork) {
      socket.destroy();
      onRefused();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const remaining = open.get(network)! - 1;
      if (remaining > 0) open.set(network, remaining);
      else open.delete(network);
    });
  });
}

function isOf(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** The owner of one IPv6 address usually has its whole /64. */
function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const front = head.split(':').filter(Boolean);
  const back = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':');
}

/** Unwraps IPv4-mapped addresses of dual-stack sockets. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
