/** Creates a database for one test file, cloned from the migrated template. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../../src/platform/db/client.ts';
import { actingAs, applicationRole } from '../../../src/platform/schema/privileges.ts';
import { eventually } from '../eventually.ts';
import { onEveryNode } from '../resources/nodes.ts';
import { throughPooler } from './pooler.ts';

export interface TestDatabase {
  /** Connects as superuser; `db` has the privileges of the application. */
  url: string;
  db: Database;
  /** Runs a statement past the tenant guard, to inspect or break what the code under test wrote. */
  query<R extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<R[]>;
  /** The same superuser connections, for code that reads across companies. */
  pool: pg.Pool;
  drop(): Promise<void>;
}

interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  template?: string | undefined;
}

/** @param poolSize connections of `db` @param options further options of `db` */
export async function testDatabase(poolSize = 5, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL, TEST_TEMPLATE, TEST_MACHINES = TEST_POSTGRES_URL! } = process.env;
  const { template = TEST_TEMPLATE, ...more } = options;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = (sql: string) => onEveryNode(TEST_MACHINES.split(' '), sql);
  // Without fsync, copying the files takes half the CPU time of writing them to the log.
  await admin(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(TEST_POSTGRES_URL!);
  url.pathname = `/${name}`;
  const drop = async () => {
    // Cluster nodes connect to each other: block new connections between terminating the last one and the drop.
    await admin(`alter database ${name} allow_connections false`);
    // Postgres waits up to five seconds for connections to close, too short on a busy machine.
    await eventually(() => admin(`drop database if exists ${name} with (force)`));
  };
  return openTestDatabase(url.href, poolSize, drop, more);
}

/** @param drop disposes of the database @param more options of `db` */
export function openTestDatabase(
  url: string,
  poolSize: number,
  drop: () => Promise<void>,
  more: Partial<DatabaseOptions> = {},
): TestDatabase {
  const acting = actingAs(url, applicationRole);
  const limits = { poolSize, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 };
  const pipelining = process.env.DATABASE_PIPELINING !== 'off';
  const db = openDatabase({ url: acting, pipelining, ...limits, ...throughPooler(url), ...more });
  const direct = new pg.Pool({ connectionString: url, max: 2 });
  direct.on('error', () => {});
  return {
    url,
    db,
    query: async (sql, parameters) => (await direct.query(sql, parameters)).rows as never,
    pool: direct,
    async drop() {
      await direct.end();
      await db.close();
      await drop();
    },
  };
}

/**
 * Lets the code under test read what Postgres reports about its connection. The guard rejects system tables, so this
 * view takes the name of a table that it allows.
 * @returns statements for `query`; afterwards `worker_pools` has the rows of `select`
 */
export function aboutConnection(select: string): string {
  return `drop table worker_pools; create view worker_pools as ${select}; grant select on worker_pools to public`;
}
