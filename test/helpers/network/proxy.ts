/**
 * A minimal load balancer in front of several processes: polls their readiness every `checkEveryMs`, uses the ready
 * ones in turn, and keeps connections alive. It never retries, so every failed request shows.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const checkEveryMs = 100;

export interface TestProxy {
  url: string;
  /** Ports of the processes that are ready. */
  ready(): number[];
  close(): Promise<void>;
}

export async function startProxy(ports: readonly number[]): Promise<TestProxy> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  const ready = new Set<number>();
  let turn = 0;

  const check = (port: number) => {
    const probe = request({ port, host: '127.0.0.1', path: '/readyz', agent: false, timeout: 20_000 }, (response) => {
      response.resume();
      if (response.statusCode === 200) ready.add(port);
      else ready.delete(port);
    });
    probe.on('error', () => ready.delete(port)).end();
  };
  const checks = setInterval(() => ports.forEach(check), checkEveryMs);

  const server = createServer((req, res) => {
    const open = [...ready];
    const port = open[turn++ % open.length];
    if (port === undefined) {
      res.writeHead(502).end();
      return;
    }
    const upstream = request({
      port,
      host: '127.0.0.1',
      path: req.url,
      method: req.method,
      headers: req.headers,
      agent,
    });
    upstream.once('response', (response) => {
      const { connection: _, 'keep-alive': __, ...headers } = response.headers;
      res.writeHead(response.statusCode!, headers);
      response.pipe(res);
    });
    upstream.once('error', (error) => res.destroy(error));
    req.pipe(upstream);
  });
  server.keepAliveTimeout = 60_000; // after 5 s, a busy client could still send a request on a connection that is closing
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    async close() {
      clearInterval(checks);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
