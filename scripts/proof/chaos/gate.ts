// A door on 127.0.0.1 through which connections pass to what stands behind: the load balancer in front of the API, and
// the switch in front of the mail server and the store. When it is shut, connections break, as they do when a host is gone.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Gate {
  port: number;
  /** Breaks all connections, and each new one. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/**
 * @param targets ports of 127.0.0.1 or of another host, used in turn; one that refuses is passed over, as a load balancer does
 */
export async function startGate(targets: readonly (number | { host: string; port: number })[]): Promise<Gate> {
  let is_open = true;
  let turn = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    keep(client);
    if (!is_open) return void client.resetAndDestroy();
    const first = turn++;
    const attempt = (n: number) => {
      if (n === targets.length) return void client.resetAndDestroy();
      const target = targets[(first + n) % targets.length]!;
      const place = typeof target === 'number' ? { host: '127.0.0.1', port: target } : target;
      const upstream = connect({ ...place, noDelay: true });
      const refused = () => attempt(n + 1);
      upstream.once('error', refused);
      upstream.once('connect', () => {
        upstream.off('error', refused);
        keep(upstream);
        client.once('close', () => upstream.destroy());
        upstream.once('close', () => client.destroy());
        client.pipe(upstream);
        upstream.pipe(client);
      });
    };
    attempt(0);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      is_open = false;
      breakAll();
    },
    open() {
      is_open = true;
    },
    async close() {
      breakAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
