/** A running service: its database, its HTTP server, its worker, and how they stop. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/client.ts';
import { startEmbedded } from './db/embedded.ts';
import { listenForAccessChanges } from './db/listen.ts';
import { migrate } from './db/migrate.ts';
import { createFiles } from './files/context.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { startWorker } from './jobs/index.ts';
import { migrateQueue } from './jobs/runner.ts';
import { createLogger, type Logger } from './log.ts';
import { createMailQueue } from './mail/queue.ts';
import { createMailer } from './mail/send.ts';
import { startMetrics } from './metrics.ts';
import { createOAuth } from './oauth/provider.ts';
import { createResetQueue } from './oauth/resets.ts';
import { createWebhookSettings } from './webhooks/settings.ts';
import { createTransport } from './webhooks/transport.ts';

/** `api` answers requests, `worker` runs jobs. Processes of both kinds multiply on one database. */
export const roles = ['api', 'worker'] as const;

export type ServiceRole = (typeof roles)[number];

export interface Service {
  /** Public address, without a trailing slash; undefined for a worker alone. */
  base_url: string;
  db: Database;
  /** Lets in-flight requests and jobs finish, then closes everything that was opened. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: all. */
  roles?: readonly ServiceRole[];
  log?: Logger;
}

/**
 * Starts the embedded database when none is configured, migrates, listens, and runs jobs.
 * @throws when the port is taken or the database can't be reached; nothing is left running
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { roles: wanted = roles, log = createLogger(config.log_level) } = options;
  const opened: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    // The port first: a taken one is the commonest mistake, and cheap to find.
    let answer: RequestListener = stillStarting;
    const server = wanted.includes('api') ? await listen(config, (req, res) => answer(req, res)) : undefined;
    if (server) opened.push(async () => server.closeAllConnections());
    const url = config.database.url ?? (await embeddedUrl(config, opened));
    await migrate(url);
    await migrateQueue(url);
    const onIdleError = (error: Error) => log.warn({ err: error }, 'database connection lost');
    const db = openDatabase({ ...config.database, url, onIdleError });
    opened.push(db.close);

    const base_url = config.base_url ?? addressOf(config, server);
    const mail = createMailQueue(config.encryption_key);
    const metrics = await startMetrics(config.metrics, log);
    opened.push(metrics.close);
    if (server) {
      const onError = (error: Error) => log.warn({ err: error }, 'not listening for changes of access');
      const access = listenForAccessChanges({ url, onError });
      opened.push(access.close);
      const oauth = await createOAuth({ config, base_url, db, access, mail, log });
      const limiter = createRateLimiter({ db, limits: config.rate_limits_per_min, log });
      opened.push(limiter.close);
      answer = await createApp({ config, base_url, db, oauth, mail, limiter, log });
      opened.push(() => drain(server, config.shutdown_timeout_ms));
    }
    if (wanted.includes('worker')) {
      const { smtp_url, mail_from: from, data_dir, worker_concurrency: concurrency, access_token_lifetime_s } = config;
      const mailer = createMailer({ smtp_url, from, outbox: join(data_dir, 'outbox'), log });
      opened.push(async () => mailer.close());
      const resets = createResetQueue(config.encryption_key);
      const { allow_private, timeout_ms } = config.webhooks;
      const transport = createTransport({ allow_private, timeout_ms });
      const webhooks = { ...config.webhooks, settings: createWebhookSettings(config), transport };
      const { registry } = metrics;
      const mails = { mail, resets, mailer, base_url };
      const { storage, links } = createFiles(config, base_url);
      const rest = { access_token_lifetime_s, ...mails, webhooks, storage, links, registry, log };
      const worker = await startWorker({ url, concurrency, db, ...rest });
      opened.push(worker.stop);
    }
    log.info({ ...(server && { base_url }), roles: wanted }, 'ready');
    return { base_url, db, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

async function embeddedUrl(config: Config, opened: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbedded(join(config.data_dir, 'postgres'));
  opened.push(embedded.stop);
  return embedded.url;
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

function addressOf(config: Config, server: Server | undefined): string {
  const port = server ? (server.address() as AddressInfo).port : config.port;
  return `http://${urlHost(config.host)}:${port}`;
}

/** IPv6 addresses stand in brackets in a URL; the wildcard addresses are reached by name. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
