// A TCP proxy on 127.0.0.1: the load balancer of the API, and the switch in front of database, mail server, and storage. When
// shut, connections break, as if the process died. When silenced, they stay open but pass nothing, as if the host or the network
// was lost.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When the server of a silenced connection notices that its client is gone, as with TCP keepalive. */
const detectionDelayMs = 2_000;

type Target = number | { host: string; port: number };

export interface Gate {
  port: number;
  /** Breaks all connections, existing and new. */
  shut(): void;
  open(): void;
  /**
   * Silences existing connections: neither data nor close passes. New ones work.
   * @param direction default both; `answers` still passes what clients send, `requests` what they receive
   */
  silence(direction?: 'both' | 'answers' | 'requests'): void;
  /** Silences new connections as well, until `unmute`. */
  mute(): void;
  unmute(): void;
  /** Changes the targets of new connections. */
  lead(targets: readonly Target[]): void;
  /** Number of silenced connections that the client still has open. */
  silenced(): number;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  upstream: Socket;
  /** Directions that are dropped. */
  dropped: { requests: boolean; answers: boolean };
}

/**
 * @param firstTargets ports of 127.0.0.1 or another host, used round-robin; skips one that refuses connections, as a load
 * balancer does
 */
export async function startGate(firstTargets: readonly Target[]): Promise<Gate> {
  let targets = firstTargets;
  let isOpen = true;
  let isMute = false;
  let turn = 0;
  const sockets = new Set<Socket>();
  const pairs = new Set<Pair>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    track(client);
    if (!isOpen) return void client.resetAndDestroy();
    if (isMute) return void client.resume();
    const first = turn++;
    const attempt = (n: number) => {
      if (n === targets.length) return void client.resetAndDestroy();
      const target = targets[(first + n) % targets.length]!;
      const address = typeof target === 'number' ? { host: '127.0.0.1', port: target } : target;
      const upstream = connect({ ...address, noDelay: true });
      const refused = () => attempt(n + 1);
      upstream.once('error', refused);
      upstream.once('connect', () => {
        upstream.off('error', refused);
        track(upstream);
        connectPair({ client, upstream, dropped: { requests: false, answers: false } });
      });
    };
    attempt(0);
  });
  const connectPair = (pair: Pair) => {
    const { client, upstream, dropped } = pair;
    pairs.add(pair);
    client.once('close', () => {
      if (dropped.requests) setTimeout(() => upstream.destroy(), detectionDelayMs).unref();
      else upstream.destroy();
      if (upstream.destroyed) pairs.delete(pair);
    });
    upstream.once('close', () => {
      if (!dropped.answers) client.destroy();
      if (client.destroyed) pairs.delete(pair);
    });
    client.pipe(upstream);
    upstream.pipe(client);
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isOpen = false;
      breakAll();
    },
    open() {
      isOpen = true;
    },
    silence(direction = 'both') {
      for (const { client, upstream, dropped } of pairs) {
        if (direction !== 'answers') dropped.requests = drain(client, upstream);
        if (direction !== 'requests') dropped.answers = drain(upstream, client);
      }
    },
    mute() {
      isMute = true;
    },
    unmute() {
      isMute = false;
    },
    lead(others) {
      targets = others;
    },
    silenced: () =>
      [...pairs].filter(({ client, dropped }) => !client.destroyed && (dropped.requests || dropped.answers)).length,
    async close() {
      breakAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Reads and discards data, so that the sender considers it sent. */
function drain(from: Socket, to: Socket): true {
  from.unpipe(to);
  from.resume();
  return true;
}
