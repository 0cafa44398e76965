/** A database of its own for one test file, cloned from the migrated template. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/platform/db/client.ts';
import { actingAs, applicationRole } from '../../src/platform/schema/privileges.ts';
import { eventually } from './eventually.ts';
import { onEveryMachine } from './machines.ts';
import { throughPooler } from './pooler.ts';

export interface TestDatabase {
  /** For a superuser; `db` acts with the rights of the application. */
  url: string;
  db: Database;
  /** A statement past the guard, to look at what the code under test wrote or to break it. */
  query<R extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<R[]>;
  /** The same connections, for what looks across companies. */
  pool: pg.Pool;
  drop(): Promise<void>;
}

interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** What it is a copy of; `template0` for an empty one. */
  template?: string | undefined;
}

/**
 * @param poolSize connections of `db`
 * @param more of its options
 */
export async function testDatabase(poolSize = 5, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL, TEST_TEMPLATE, TEST_MACHINES = TEST_POSTGRES_URL! } = process.env;
  const { template = TEST_TEMPLATE, ...more } = options;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = (sql: string) => onEveryMachine(TEST_MACHINES.split(' '), sql);
  await admin(`create database ${name} template ${template}`);
  const url = new URL(TEST_POSTGRES_URL!);
  url.pathname = `/${name}`;
  const drop = async () => {
    // The machines of a cluster connect to one another: nobody comes again between the last one's end and the drop.
    await admin(`alter database ${name} allow_connections false`);
    // Postgres waits for five seconds until all have gone: too short where the machine is busy.
    await eventually(() => admin(`drop database if exists ${name} with (force)`));
  };
  return openTestDatabase(url.href, poolSize, drop, more);
}

/**
 * @param drop what is done with the database when it is no longer needed
 * @param more options of `db`
 */
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
 * Lets the code under test ask what Postgres tells a connection about itself: the guard refuses the tables of Postgres, and
 * knows this one.
 * @returns statements for `query`; afterwards `worker_pools` has the rows of `select`
 */
export function aboutConnection(select: string): string {
  return `drop table worker_pools; create view worker_pools as ${select}; grant select on worker_pools to public`;
}
