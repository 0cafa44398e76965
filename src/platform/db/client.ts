/**
 * Access to Postgres: one pool for a process, prepared statements, and the tenant guard in front of every statement.
 *
 * `Database.tenant(company_id)` is the only way to the tenant tables; `Database.global` reaches the others.
 */
import {
  CompiledQuery,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import type { DB } from '../../../generated/db.ts';
import { connectionTo } from '../connection/address.ts';
import { guardedDriver } from '../connection/connection.ts';
import { cutOff } from '../connection/library-internals.ts';
import type { DatabaseObserver, PoolStats } from '../connection/observer.ts';
import { connected, openPooledConnection } from '../connection/open.ts';
import { createPipeline } from '../connection/pipeline.ts';
import { admissionTo, connectionLender, openPool } from '../connection/pool.ts';
import { SilentConnection } from '../connection/postgres-client.ts';
import { completeSession, type SessionOptions, sessionConfig } from '../connection/session.ts';
import { createAnnouncer } from '../notify/announce.ts';
import { notification } from '../notify/notification.ts';
import { type Machines, watchMachines } from '../schema/machines.ts';
import { guard } from '../tenancy/guard.ts';
import { type GlobalTables, typeParsers } from '../tenancy/tables.ts';
import { isStuck } from './liveness.ts';
import { openReplica } from './replica.ts';
import type { Tenant } from './tenant.ts';
import { TenantConnection, type TenantServices, type TransactionWatcher } from './tenant-connection.ts';

/** Connections for point reads, which Postgres serves in parallel. */
const lanes = 2;
/** For health checks of a cluster's machines, which take a few seconds at most. */
const machineCheckOptions = { max: 1, socketTimeout: { limitMs: 10_000 } };
/** Added to the server's statement timeout if no socket timeout is set. */
const responseDelayMs = 2_000;
/** The memory of a Postgres backend only grows, so connections are replaced. */
const maxLifeS = 1_800;
/** How long all connections must be silent before the process may count as stuck. */
const shortestQuietMs = 60_000;
/** A connection for one health check. */
const healthCheckTimeouts = { connectionTimeoutMillis: 2_000, socketTimeout: { limitMs: 2_000 } };
const maxTenantsRemembered = 10_000;

export interface DatabaseOptions extends SessionOptions {
  url: string;
  poolSize: number;
  connectTimeoutMs: number;
  /** How long a connection may be silent while a response is due. Default: slightly longer than the statement timeout. */
  socketTimeoutMs?: number | undefined;
  /** How long a connection is used before it is replaced. */
  connectionLifetimeS?: number;
  /** How many requests may wait for a connection at the same time; more are rejected. Default: unlimited. */
  maxWaiting?: number;
  /** Default: true. */
  preparedStatements?: boolean;
  /** Whether statements are sent without waiting for earlier responses. Default: true. */
  pipelining?: boolean;
  /** A replica for long reads, and how long a read waits for it to catch up. */
  replica?: { url: string; waitMs: number } | undefined;
  /** Called for connections that break while idle: worth a log line, never a crash. */
  onIdleError?: (error: Error) => void;
  /** Called for connections that are cut off because they are silent. */
  onCut?: ((error: SilentConnection) => void) | undefined;
  observer?: DatabaseObserver | undefined;
}

interface PingResult {
  /** False on a standby, and on a server that is set to read only. */
  writable: boolean;
}

const writableQuery = "select current_setting('transaction_read_only') = 'off' as writable";

export interface Database {
  /** The tables that belong to no company; statements on tenant tables are refused. */
  global: Kysely<GlobalTables>;
  /** The tables of one company. @param watcher takes part in the transactions started on the result */
  tenant(companyId: string, watcher?: TransactionWatcher): Tenant;
  /** The same for work that no client waits for: it is never rejected for lack of connections. */
  background: Database;
  /** @throws when Postgres does not respond */
  ping(): Promise<PingResult>;
  /** Whether no connection has received anything for a long time, although a new one works: only a restart repairs that. */
  isStuck(): Promise<boolean>;
  machines: Machines;
  /** Whether Postgres has a statement timeout: behind a pooler, the role or the pooler's configuration must set it. */
  limitsStatements(): Promise<boolean>;
  figures(): PoolStats;
  close(): Promise<void>;
}

/** Connects lazily: the first statement opens the first connection. */
export function openDatabase(options: DatabaseOptions): Database {
  const { socketTimeoutMs = options.statementTimeoutMs + responseDelayMs } = options;
  let receivedMs = performance.now();
  const config = connectionTo(options.url, {
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...sessionConfig(options),
    socketTimeout: {
      limitMs: socketTimeoutMs,
      onCut: options.onCut,
      onBytes() {
        receivedMs = performance.now();
      },
    },
    application_name: 'collaborator-api',
    types: typeParsers,
  });
  const { pipelining = true, preparedStatements: prepares = true, connectionLifetimeS = maxLifeS } = options;
  const { observer, onIdleError = () => {} } = options;
  const onConnect = async (client: pg.ClientBase) => {
    await completeSession(client, options);
    await machines.meet(client);
  };
  const machines = watchMachines(() => openPool({ ...config, ...machineCheckOptions, onConnect }, onIdleError));
  const pool = openPool(
    { ...config, max: options.poolSize, maxLifetimeSeconds: connectionLifetimeS, pipeline: pipelining, onConnect },
    onIdleError,
  );
  const replica =
    options.replica &&
    openReplica(options.replica, pool, onIdleError, (url) => {
      return openDatabase({ ...options, url, replica: undefined });
    });
  const announcer = createAnnouncer((channel, payloads) => {
    const { sql, parameters } = notification(channel, payloads);
    return pool.query(sql, [...parameters]);
  });
  const pipeline = createPipeline({
    config: { ...config, pipeline: pipelining },
    lanes,
    lifetimeS: connectionLifetimeS,
    prepares,
    onConnect,
    observer,
  });
  const lent = lentConnections(pool, machines);
  machines.onLoss(() => {
    lent.cut();
    pipeline.cut();
  });
  const services: TenantServices = {
    announcer,
    async read(statement, companyId) {
      guard(statement.sql, statement.parameters, companyId);
      return pipeline.query(statement, () => machines.admit(companyId));
    },
    replica: async () => ((await replica?.hasCaughtUp()) ? replica?.db : undefined),
  };
  // Uses the pipeline rather than the pool, so that it works however many requests wait for pool connections.
  const ping = async () => {
    const [result] = await pipeline.query<PingResult>(CompiledQuery.raw(writableQuery));
    return result!;
  };
  const shared = {
    ping,
    isStuck: () =>
      isStuck({
        lastReceivedMs: () => receivedMs,
        maxQuietMs: Math.max(shortestQuietMs, 3 * socketTimeoutMs),
        queryExisting: ping,
        queryNew: () =>
          connected(openPooledConnection(options.url, healthCheckTimeouts), (client) => client.query('select 1')),
      }),
    machines,
    async limitsStatements() {
      const { rows } = await pool.query<{ limit: string }>("select current_setting('statement_timeout') as limit");
      return rows[0]!.limit !== '0';
    },
    figures() {
      const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool;
      const { open: pipelines, under_way: pipelined } = pipeline.figures();
      return { total, idle, waiting, pipelines, pipelined };
    },
    async close() {
      await announcer.close();
      await pipeline.close();
      await machines.close();
      await replica?.close();
      await pool.end();
    },
  };
  const tables = (admit?: () => void) => {
    const borrow = connectionLender(pool, observer, admit);
    return tablesOf((companyId) => {
      const borrowFor = companyId === undefined ? borrow : () => lent.borrow(borrow, companyId);
      return guardedDriver({ borrow: borrowFor, company_id: companyId, pipelining, prepares, observer });
    }, services);
  };
  const background = { ...shared, ...tables() } as Database;
  background.background = background;
  return { ...shared, ...tables(admissionTo(pool, options)), background };
}

/** Tracks the pool connections lent to each company, to cut off those that wait for a lost machine of a cluster. */
function lentConnections(pool: pg.Pool, machines: Machines) {
  const lent = new Map<pg.PoolClient, string>();
  pool.on('release', (_, client) => lent.delete(client as pg.PoolClient));
  return {
    async borrow(borrow: () => Promise<pg.PoolClient>, companyId: string): Promise<pg.PoolClient> {
      machines.admit(companyId);
      const client = await borrow();
      if (!machines.is_cluster) return client;
      if (machines.isLost(companyId)) client.release(); // lost while this waited
      machines.admit(companyId);
      lent.set(client, companyId);
      return client;
    },
    cut() {
      const error = new SilentConnection('answer');
      for (const [client, companyId] of lent) if (machines.isLost(companyId)) cutOff(client, error);
    },
  };
}

function tablesOf(
  driverFor: (companyId: string | undefined) => Driver,
  services: TenantServices,
): Pick<Database, 'global' | 'tenant'> {
  const tenants = new Map<string, TenantConnection>();
  const tenantOf = (companyId: string) => {
    const known = tenants.get(companyId);
    if (known) return known;
    const tenant = new TenantConnection(companyId, kysely<DB>(driverFor(companyId)), services);
    if (tenants.size >= maxTenantsRemembered) tenants.clear();
    tenants.set(companyId, tenant);
    return tenant;
  };
  return {
    global: kysely<GlobalTables>(driverFor(undefined)),
    tenant: (companyId, watcher) => (watcher ? tenantOf(companyId).withWatcher(watcher) : tenantOf(companyId)),
  };
}

function kysely<T>(driver: Driver): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}
