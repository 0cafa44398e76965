/** Metrics for Prometheus, on a separate port that only the operator should reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Logger } from '../observe/log.ts';
import { listen } from './listen.ts';

interface Metrics {
  registry: Registry;
  close(): Promise<void>;
}

/** @param where without a port there is no server, but metrics are still collected @throws when the port is taken */
export async function startMetrics(where: { host: string; port: number | undefined }, log: Logger): Promise<Metrics> {
  const registry = new Registry();
  if (where.port === undefined) return { registry, close: async () => {} };
  collectDefaultMetrics({ register: registry });
  const server = createServer(async (req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end();
    try {
      const text = await registry.metrics();
      res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      log.warn({ err: error }, 'no figures');
      res.writeHead(503).end();
    }
  });
  await listen(server, { host: where.host, port: where.port }, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'));
  log.info({ metrics: `http://${where.host}:${(server.address() as AddressInfo).port}/metrics` }, 'figures');
  return {
    registry,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
