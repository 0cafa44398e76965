/** A running service: opens the database, the HTTP server, and the worker, and closes them in reverse order. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ReloadCertificate } from './api/server/tls.ts';
import { type Config, refuseUnsafeSettings } from './platform/config/config.ts';
import { makeDataFolder } from './platform/config/data-folder.ts';
import { type Database, openDatabase } from './platform/db/client.ts';
import { createStorage } from './platform/files/context.ts';
import { boundStore } from './platform/files/store/bound-store.ts';
import { watchStore } from './platform/files/store/store-watch.ts';
import { createMailQueue } from './platform/mail/mail-queue.ts';
import { measureBacklog } from './platform/observe/backlog.ts';
import { observeClosedConnections, observeDatabase, observePool } from './platform/observe/database.ts';
import { createLogger, type Logger } from './platform/observe/log.ts';
import { startTracing } from './platform/observe/start-tracing.ts';
import { startMetrics } from './platform/process/metrics.ts';
import { migrateQueue } from './platform/schema/migrate-queue.ts';
import { prepareDatabase } from './platform/schema/prepare.ts';
import { createQuotas } from './product/companies/quotas.ts';
import type { Closers, ServiceResources } from './product/service-resources.ts';

/** Any number of processes of each role can share one database. */
export const roles = ['api', 'worker'] as const;

export type ServiceRole = (typeof roles)[number];

export interface Service {
  /** Public address, without a trailing slash. */
  base_url: string;
  db: Database;
  reloadCertificate: ReloadCertificate | undefined;
  /** Lets in-flight requests and jobs finish, then closes every resource. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  roles?: readonly ServiceRole[];
  log?: Logger;
}

/** Loaded lazily by role: both together are twice as many modules as a worker needs, and loading dominates its startup. */
const loadFront = () => import('./api/server/listener.ts');
const loadApi = () => import('./api/start-api.ts');
const loadJobs = () => import('./worker/start-jobs.ts');

/** Preloads the modules of all roles, so that startup doesn't wait for them. */
export async function loadRoles(): Promise<void> {
  await Promise.all([loadFront(), loadApi(), loadJobs()]);
}

/**
 * Starts the embedded database if none is configured, runs the migrations, listens, and runs jobs.
 * @throws if the settings are unsafe for production, the port is taken, or the database is unreachable; everything opened so far
 * is closed
 */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { roles: selectedRoles = roles, log = createLogger(config.log_level) } = options;
  const opened: Closers = [];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    for (const { name, why } of refuseUnsafeSettings(config))
      log.warn({ setting: name, why }, 'unsafe setting accepted');
    for (const { name, similar } of config.unknown) log.warn({ setting: name, similar }, 'unknown setting ignored');
    // Bind the port first: a port in use is the most common mistake, and cheap to detect.
    const front = selectedRoles.includes('api')
      ? await (await loadFront()).openListener(config, log, opened, stopping.signal)
      : undefined;
    const api = front && startLoading(loadApi());
    const jobs = selectedRoles.includes('worker') ? startLoading(loadJobs()) : undefined;
    const resources = await openResources(config, log, opened, front?.server);
    if (front) {
      front.setHandler(await (await api!).startApi(resources, stopping.signal));
      opened.push(() => front.drain(config.shutdownDelayMs, config.shutdownTimeoutMs));
    }
    await (await jobs)?.startJobs(resources);
    const { base_url: baseUrl, db } = resources;
    log.info({ ...(front && { base_url: baseUrl }), roles: selectedRoles }, 'ready');
    return { base_url: baseUrl, db, reloadCertificate: front?.reloadCertificate, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/**
 * Loads a module while the database connects. The empty handler only avoids an unhandled rejection: the caller gets the error.
 */
function startLoading<T>(loading: Promise<T>): Promise<T> {
  loading.catch(() => {});
  return loading;
}

async function openResources(
  config: Config,
  log: Logger,
  opened: Closers,
  server: Server | undefined,
): Promise<ServiceResources> {
  const loginUrl = config.database.url ?? (await embeddedUrl(config, opened));
  const { url, directUrl } = await prepareDatabase({ ...config.database, url: loginUrl }, migrateQueue);
  const { registry, close } = await startMetrics(config.metrics, log);
  opened.push(close);
  const tracer = await startTracing(config.tracing, log);
  opened.push(async () => tracer?.close());
  const onIdleError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const observer = observeDatabase({ registry, log, slowQueryMs: config.slow.queryMs });
  const onCut = observeClosedConnections(registry, log);
  const db = openDatabase({ ...config.database, url, onIdleError, onCut, observer });
  opened.push(db.close);
  if (config.database.pooled && !(await db.limitsStatements())) {
    log.warn('statements have no timeout: see docs/operations/pgbouncer.md');
  }
  observePool(registry, db.figures);
  opened.push(
    measureBacklog(registry, directUrl, {
      machines: db.machines,
      failing: config.metrics.failingWebhooks,
      hasSpace: observer.hasSpace,
    }).close,
  );
  const store = watchStore(boundStore(createStorage(config), db), { registry, log });
  await store.begin().catch(async (error) => {
    const { storage, dataDir } = config;
    // The cause may be its parent folder, which has its own setting.
    if (storage.kind === 'local' && storage.folder === join(dataDir, 'files')) await makeDataFolder(dataDir);
    throw error;
  });
  const baseUrl = config.base_url ?? addressOf(config, server);
  const mail = createMailQueue(config.encryption_keys, config.mailsPerDay);
  const quotas = createQuotas(config.quotas, registry);
  return { config, log, opened, db, directUrl, base_url: baseUrl, store, mail, quotas, registry, onCut, tracer };
}

async function embeddedUrl(config: Config, opened: Closers): Promise<string> {
  await makeDataFolder(config.dataDir);
  const { startEmbedded } = await import('./platform/embedded/embedded.ts');
  const embedded = await startEmbedded(join(config.dataDir, 'postgres'));
  opened.push(embedded.stop);
  return embedded.url;
}

function addressOf(config: Config, server: Server | undefined): string {
  const port = server ? (server.address() as AddressInfo).port : config.port;
  return `${config.tls ? 'https' : 'http'}://${urlHost(config.host)}:${port}`;
}

/** IPv6 addresses need brackets in a URL; wildcard addresses are replaced by a host name. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
