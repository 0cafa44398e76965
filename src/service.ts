/** A running service: its database, its HTTP server, and how they stop. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/client.ts';
import { type EmbeddedPostgres, startEmbedded } from './db/embedded.ts';
import { listenForAccessChanges } from './db/listen.ts';
import { migrate } from './db/migrate.ts';
import { createLogger, type Logger } from './log.ts';
import { createOAuth } from './oauth/provider.ts';

export interface Service {
  /** Public address, without a trailing slash. */
  base_url: string;
  db: Database;
  /** Lets in-flight requests finish, then closes everything that was opened. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded database when none is configured, migrates, and listens.
 * @throws when the port is taken or the database can't be reached; nothing is left running
 */
export async function startService(config: Config, log: Logger = createLogger(config.log_level)): Promise<Service> {
  const embedded = config.database.url ? undefined : await startEmbedded(join(config.data_dir, 'postgres'));
  const opened: (() => Promise<unknown>)[] = embedded ? [embedded.stop] : [];
  const stopAll = async () => {
    for (const stop of opened.reverse()) await stop();
  };
  try {
    const url = config.database.url ?? (embedded as EmbeddedPostgres).url;
    let answer: RequestListener = stillStarting;
    const server = await listen(config, (req, res) => answer(req, res));
    opened.push(() => drain(server, config.shutdown_timeout_ms));
    const base_url = config.base_url ?? `http://${urlHost(config.host)}:${(server.address() as AddressInfo).port}`;
    await migrate(url);
    const db = openDatabase({
      ...config.database,
      url,
      onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    opened.splice(-1, 0, db.close); // stopping goes backwards: the server drains before its database closes
    const access = listenForAccessChanges({
      url,
      onError: (error) => log.warn({ err: error }, 'not listening for changes of access'),
    });
    opened.splice(-1, 0, access.close);
    const oauth = await createOAuth({ config, base_url, db, access, log });
    answer = await createApp({ config, base_url, db, oauth, log });
    log.info({ base_url, database: embedded ? 'embedded' : 'configured' }, 'ready');
    return { base_url, db, stop: stopAll };
  } catch (error) {
    await stopAll().catch(() => {});
    throw error;
  }
}

const stillStarting: RequestListener = (_req, res) => {
  const body = { error: 'service_unavailable', message: 'The service is starting.' };
  res.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end(JSON.stringify(body));
};

function listen(config: Config, answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Stops listening, closes idle connections, waits for busy ones up to `timeout_ms`. */
async function drain(server: Server, timeout_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50); // a kept-alive connection is idle after its answer
  const late = setTimeout(() => server.closeAllConnections(), timeout_ms);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** IPv6 addresses stand in brackets in a URL; the wildcard addresses are reached by name. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
