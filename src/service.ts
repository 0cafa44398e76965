/** A running service: its database, its HTTP server, its worker, and how they stop. */
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { createApp } from './api/app.ts';
import { securityHeaders } from './api/http/security-headers.ts';
import { createOAuth } from './api/pages/oauth.ts';
import { createRateLimiter } from './api/rate-limit/rate-limit.ts';
import { createDrain } from './api/server/drain.ts';
import { stillStarting } from './api/server/early-answer.ts';
import { createHttpServer } from './api/server/server.ts';
import type { ReloadCertificate } from './api/server/tls.ts';
import { createAuditRecorder } from './platform/audit/recorder.ts';
import { type Config, refuseUnsafeSettings } from './platform/config/config.ts';
import { makeDataFolder } from './platform/config/data-folder.ts';
import { type Database, openDatabase } from './platform/db/client.ts';
import { startEmbedded } from './platform/embedded/embedded.ts';
import { createFiles, createStorage } from './platform/files/context.ts';
import { keepDuringBackups } from './platform/files/during-backups.ts';
import { markedStore } from './platform/files/marked-store.ts';
import { type WatchedStore, watchStore } from './platform/files/store-watch.ts';
import { createMailQueue, type MailQueue } from './platform/mail/mail-queue.ts';
import { createMailer } from './platform/mail/send-mail.ts';
import { listenForAccessChanges } from './platform/notify/listen.ts';
import { measureBacklog } from './platform/observe/backlog.ts';
import { observeDatabase, observePool } from './platform/observe/database.ts';
import { observeLimits, observeTokenCache } from './platform/observe/limits.ts';
import { createLogger, type Logger } from './platform/observe/log.ts';
import { startMetrics } from './platform/observe/metrics.ts';
import { createRequestMeter } from './platform/observe/requests.ts';
import type { Tracer } from './platform/observe/span.ts';
import { startTracing } from './platform/observe/start-tracing.ts';
import { migrateQueue } from './platform/schema/migrate-queue.ts';
import { prepareDatabase } from './platform/schema/prepare.ts';
import { createQuotas, type Quotas } from './product/companies/quotas.ts';
import { createUseRecorder } from './product/connections/record-uses.ts';
import { startWorker } from './worker/worker.ts';
import { workerOptions } from './worker/worker-options.ts';

/** `api` answers requests, `worker` runs jobs. Processes of both kinds multiply on one database. */
export const roles = ['api', 'worker'] as const;

export type ServiceRole = (typeof roles)[number];

export interface Service {
  /** Public address, without a trailing slash; undefined for a worker alone. */
  base_url: string;
  db: Database;
  /** Undefined where no HTTPS is spoken. */
  reloadCertificate: ReloadCertificate | undefined;
  /** Lets in-flight requests and jobs finish, then closes everything that was opened. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: all. */
  roles?: readonly ServiceRole[];
  log?: Logger;
}

type Opened = (() => Promise<unknown>)[];

/**
 * Starts the embedded database when none is configured, migrates, listens, and runs jobs.
 * @throws when the settings are not fit for production, the port is taken or the database can't be reached; nothing is left
 *   running
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { roles: wanted = roles, log = createLogger(config.log_level) } = options;
  const opened: Opened = [];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    for (const { name, why } of refuseUnsafeSettings(config))
      log.warn({ setting: name, why }, 'unsafe setting accepted');
    // The port first: a taken one is the commonest mistake, and cheap to find.
    const front = wanted.includes('api') ? await openFront(config, log, opened, stopping.signal) : undefined;
    const ground = await openGround(config, log, opened, front?.server);
    if (front) {
      front.answerWith(await startApi(ground, stopping.signal));
      opened.push(() => front.drain(config.shutdown_delay_ms, config.shutdown_timeout_ms));
    }
    if (wanted.includes('worker')) await startJobs(ground);
    const { base_url, db } = ground;
    log.info({ ...(front && { base_url }), roles: wanted }, 'ready');
    return { base_url, db, reloadCertificate: front?.reloadCertificate, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** The port, which answers that the service is starting until there is something to answer with. */
async function openFront(config: Config, log: Logger, opened: Opened, stopping: AbortSignal) {
  let answer: RequestListener = stillStarting(securityHeaders(config), log);
  const { server, reloadCertificate } = await createHttpServer(config, log);
  server.on('request', (req, res) => answer(req, res));
  const drain = createDrain(server, stopping);
  opened.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config);
  const answerWith = (listener: RequestListener) => {
    answer = listener;
  };
  return { server, answerWith, drain, reloadCertificate };
}

/** What API and worker stand on. */
interface Ground {
  config: Config;
  log: Logger;
  opened: Opened;
  db: Database;
  /** Of the database past a pooler. */
  direct_url: string;
  base_url: string;
  store: WatchedStore;
  mail: MailQueue;
  quotas: Quotas;
  registry: Registry;
  tracer: Tracer | undefined;
}

async function openGround(config: Config, log: Logger, opened: Opened, server: Server | undefined): Promise<Ground> {
  const login_url = config.database.url ?? (await embeddedUrl(config, opened));
  const { url, direct_url } = await prepareDatabase({ ...config.database, url: login_url }, migrateQueue);
  const { registry, close } = await startMetrics(config.metrics, log);
  opened.push(close);
  const tracer = await startTracing(config.tracing, log);
  opened.push(async () => tracer?.close());
  const onIdleError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const observer = observeDatabase({ registry, log, slow_query_ms: config.slow.query_ms });
  const db = openDatabase({ ...config.database, url, onIdleError, observer });
  opened.push(db.close);
  if (config.database.pooled && !(await db.limitsStatements())) {
    log.warn('statements have no limit of time: see docs/operations/pgbouncer.md');
  }
  observePool(registry, db.figures);
  opened.push(
    measureBacklog(registry, direct_url, { machines: db.machines, failing: config.metrics.failing_webhooks }).close,
  );
  const store = watchStore(markedStore(createStorage(config), db), { registry, log });
  await store.begin();
  const base_url = config.base_url ?? addressOf(config, server);
  const mail = createMailQueue(config.encryption_keys, config.mails_per_day);
  const quotas = createQuotas(config.quotas, registry);
  return { config, log, opened, db, direct_url, base_url, store, mail, quotas, registry, tracer };
}

async function embeddedUrl(config: Config, opened: Opened): Promise<string> {
  await makeDataFolder(config.data_dir);
  const embedded = await startEmbedded(join(config.data_dir, 'postgres'));
  opened.push(embedded.stop);
  return embedded.url;
}

/** @returns what answers requests */
async function startApi(ground: Ground, stopping: AbortSignal): Promise<RequestListener> {
  const { config, log, opened, db, direct_url, base_url, store, mail, quotas, registry, tracer } = ground;
  const onError = (error: Error) => log.warn({ err: error }, 'not listening for changes of access');
  const access = listenForAccessChanges({ url: direct_url, onError });
  opened.push(access.close);
  const audit = createAuditRecorder({ db: db.background, log });
  opened.push(audit.close);
  const uses = createUseRecorder({ db: db.background, log });
  opened.push(uses.close);
  const oauth = await createOAuth({ config, base_url, db, access, mail, log });
  const { rate_limits_per_min: limits, rate_limit_client_factor: client_factor } = config;
  const limiter = createRateLimiter({ db: db.background, limits, client_factor, log });
  opened.push(limiter.close);
  observeLimits(registry, () => ({ ...limiter.refused, ...oauth.limits.refused }));
  observeTokenCache(registry, oauth.token_cache);
  const watch = { meter: createRequestMeter(registry), tracer, slow_request_ms: config.slow.request_ms };
  return createApp({ config, base_url, db, store, oauth, mail, limiter, quotas, watch, audit, uses, log, stopping });
}

async function startJobs(ground: Ground): Promise<void> {
  const { config, log, opened, db, direct_url, base_url, store, mail, quotas, registry, tracer } = ground;
  const { smtp_url, mail_from: from, data_dir } = config;
  const mailer = createMailer({ smtp_url, from, outbox: join(data_dir, 'outbox'), log });
  opened.push(async () => mailer.close());
  const { storage, links } = keepDuringBackups(createFiles(config, base_url, store.storage), db.background);
  const ground_of_worker = { url: direct_url, db: db.background, base_url, mail, mailer, storage, links, quotas };
  const worker = await startWorker(workerOptions(config, { ...ground_of_worker, registry, tracer, log }));
  opened.push(worker.stop);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function addressOf(config: Config, server: Server | undefined): string {
  const port = server ? (server.address() as AddressInfo).port : config.port;
  return `${config.tls ? 'https' : 'http'}://${urlHost(config.host)}:${port}`;
}

/** IPv6 addresses stand in brackets in a URL; the wildcard addresses are reached by name. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
