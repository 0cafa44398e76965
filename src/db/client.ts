/**
 * The way to Postgres: one pool for a process, prepared statements, and the guard in front of every statement.
 *
 * `Database.tenant(company_id)` is the only way to the tenant tables; `Database.global` reaches the others.
 */
import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresDriver, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { createAnnouncer } from './announce.ts';
import { guarded } from './connection.ts';
import { guard } from './guard.ts';
import { createPipeline, gather } from './pipeline.ts';
import { type Tenant, TenantConnection, type TenantServices } from './tenant.ts';
import { type GlobalTables, typeParsers } from './types.ts';

/** Postgres answers them side by side. */
const pipeline_lanes = 2;
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
  const config: pg.ClientConfig = {
    connectionString: options.url,
    connectionTimeoutMillis: options.connect_timeout_ms,
    statement_timeout: options.statement_timeout_ms,
    idle_in_transaction_session_timeout: options.statement_timeout_ms,
    options: '-c TimeZone=UTC',
    application_name: 'collaborator-api',
    types: typeParsers,
  };
  const pool = new pg.Pool({ ...config, max: options.pool_size, pipeline: true });
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks while in use fails its statement; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));

  const nameOf = statementNames();
  const driver = new PostgresDriver({ pool: preparing(pool, nameOf) });
  const started = driver.init();
  const global = kysely<GlobalTables>(driver, started, undefined);
  const announcer = createAnnouncer((channel) => pool.query('select pg_notify($1, $2)', [channel, '']));
  const pipeline = createPipeline({ config, lanes: pipeline_lanes });
  const services: TenantServices = {
    announce: announcer.announce,
    read(text, values, company_id) {
      guard(text, values, company_id);
      return pipeline.query(nameOf(text), text, values);
    },
  };
  const tenants = new Map<string, Tenant>();
  return {
    global,
    tenant(company_id) {
      const known = tenants.get(company_id);
      if (known) return known;
      const tenant = new TenantConnection(company_id, kysely<DB>(driver, started, company_id), services);
      if (tenants.size >= max_tenants_remembered) tenants.clear();
      tenants.set(company_id, tenant);
      return tenant;
    },
    ping: async () => {
      await pool.query('select 1');
    },
    async close() {
      await announcer.close();
      await pipeline.close();
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

/**
 * A name for every parameterised statement, so that Postgres parses and plans it once per connection. It is a hash of the
 * text: the same text is the same statement in every process.
 */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known) return known;
    const name = createHash('sha1').update(text).digest('base64url');
    if (names.size >= max_statements_remembered) names.clear();
    names.set(text, name);
    return name;
  };
}

/** The pool as kysely wants it, with named statements. */
function preparing(pool: pg.Pool, nameOf: (text: string) => string) {
  return {
    async connect() {
      const client = await pool.connect();
      return {
        query: (text: string, values: unknown[] | readonly unknown[]) => {
          gather(client);
          return values?.length ? client.query({ name: nameOf(text), text, values: [...values] }) : client.query(text);
        },
        release: () => client.release(),
      } as never;
    },
    end: () => pool.end(),
    options: {},
  };
}
