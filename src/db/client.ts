/**
 * The way to Postgres: one pool for a process, prepared statements, and the guard in front of every statement.
 *
 * `Database.tenant(company_id)` is the only way to the tenant tables; `Database.global` reaches the others.
 */
import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { createAnnouncer } from './announce.ts';
import { guard } from './guard.ts';
import { type Tenant, TenantConnection } from './tenant.ts';
import { type GlobalTables, typeParsers } from './types.ts';

const max_tenants_remembered = 10_000;
const max_statements_remembered = 2_000;

export interface DatabaseOptions {
  url: string;
  pool_size: number;
  connect_timeout_ms: number;
  statement_timeout_ms: number;
  /** Told about connections that break while idle: worth a log line, never a crash. */
  onIdleError?: (error: Error) => void;
}

export interface Database {
  /** The tables that belong to no company; a statement on a tenant table is refused. */
  global: Kysely<GlobalTables>;
  /** The tables of one company. */
  tenant(company_id: string): Tenant;
  /** @throws when Postgres does not answer */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Connects lazily: the first statement opens the first connection. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.pool_size,
    connectionTimeoutMillis: options.connect_timeout_ms,
    statement_timeout: options.statement_timeout_ms,
    idle_in_transaction_session_timeout: options.statement_timeout_ms,
    options: '-c TimeZone=UTC',
    application_name: 'collaborator-api',
    types: typeParsers,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks while in use fails its statement; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));

  const driver = new PostgresDriver({ pool: preparing(pool) });
  const started = driver.init();
  const global = kysely<GlobalTables>(driver, started, undefined);
  const announcer = createAnnouncer((channel) => pool.query('select pg_notify($1, $2)', [channel, '']));
  const tenants = new Map<string, Tenant>();
  return {
    global,
    tenant(company_id) {
      const known = tenants.get(company_id);
      if (known) return known;
      const tenant = new TenantConnection(company_id, kysely<DB>(driver, started, company_id), announcer.announce);
      if (tenants.size >= max_tenants_remembered) tenants.clear();
      tenants.set(company_id, tenant);
      return tenant;
    },
    ping: async () => {
      await pool.query('select 1');
    },
    async close() {
      await announcer.close();
      await pool.end();
    },
  };
}

/** A query builder over the shared pool whose statements are guarded for one company. */
function kysely<T>(driver: PostgresDriver, started: Promise<void>, company_id: string | undefined): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => guarded(driver, started, company_id),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}

type Inner = Parameters<PostgresDriver['releaseConnection']>[0];

function guarded(driver: PostgresDriver, started: Promise<void>, company_id: string | undefined): Driver {
  const inner = new WeakMap<DatabaseConnection, Inner>();
  const innerOf = (connection: DatabaseConnection) => inner.get(connection)!;
  return {
    init: () => started,
    async acquireConnection() {
      const connection = (await driver.acquireConnection()) as unknown as Inner;
      const outer: DatabaseConnection = {
        executeQuery: <R>(query: CompiledQuery) => {
          guard(query.sql, query.parameters, company_id);
          return connection.executeQuery<R>(query);
        },
        streamQuery: <R>(query: CompiledQuery, chunk_rows: number) => {
          guard(query.sql, query.parameters, company_id);
          return connection.streamQuery<R>(query, chunk_rows);
        },
      };
      inner.set(outer, connection);
      return outer;
    },
    beginTransaction: (connection, settings) => driver.beginTransaction(innerOf(connection), settings),
    commitTransaction: (connection) => driver.commitTransaction(innerOf(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(innerOf(connection)),
    releaseConnection: (connection) => driver.releaseConnection(innerOf(connection) as never),
    destroy: async () => {}, // the pool outlives every builder; `Database.close` ends it
  };
}

/**
 * The pool as kysely wants it, with a name on every parameterised statement, so that Postgres parses and plans it once
 * per connection. The name is a hash of the text: the same text is the same statement in every process.
 */
function preparing(pool: pg.Pool) {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known) return known;
    const name = createHash('sha1').update(text).digest('base64url');
    if (names.size >= max_statements_remembered) names.clear();
    names.set(text, name);
    return name;
  };
  return {
    async connect() {
      const client = await pool.connect();
      return {
        query: (text: string, values: unknown[] | readonly unknown[]) =>
          values?.length ? client.query({ name: nameOf(text), text, values: [...values] }) : client.query(text),
        release: () => client.release(),
      } as never;
    },
    end: () => pool.end(),
    options: {},
  };
}
