/**
 * Statements that run often: built once, with the query builder as all others, and parsed once by each connection.
 *
 * - It saves building the text here (30 to 50 µs), and parsing and planning in Postgres.
 * - It costs Postgres some 40 KB for each of them and each connection: so they are the constants of modules.
 * - `DATABASE_PREPARED_STATEMENTS=false` sends them without a name; then only the building is saved.
 * - When it is wrong, `test/system/db/prepared.test.ts` fails, and "an argument that is lost in the building" in
 *   `test/platform/db/point-reads.test.ts`.
 */
import type { QueryExecutorProvider, QueryResult } from 'kysely';
import {
  type Buildable,
  type KeptStatement,
  keepStatement,
  nameOf,
  type Statement,
} from '../connection/kept-statement.ts';
import type { Tenant, TenantTransaction } from './tenant.ts';

/** A statement for any company. @returns its rows */
export type PointRead<A extends readonly unknown[], R> = (tenant: Tenant, ...args: A) => Promise<R[]>;

/**
 * A statement that reads a few rows by an index, always in the same time: outside of transactions many of them share a
 * connection (see `platform/connection/pipeline.ts`), so a slow one would hold up the others.
 * @param build called once, with markers for the arguments: each must become a parameter of the statement, and all else it
 *   knows is the same in every call
 * @throws when an argument is no parameter
 */
export function pointRead<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Buildable<R>,
): PointRead<A, R> {
  const kept = keptOnce(build);
  return async (tenant, ...args) => tenant.read(kept(tenant, args));
}

/**
 * A statement of many transactions, or a transaction by itself.
 * @param build as for `pointRead`
 */
export function preparedQuery<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Buildable<R>,
): (tenant: Tenant, ...args: A) => Promise<R[]> {
  const kept = keptOnce(build);
  return async (tenant, ...args) => tenant.ask(kept(tenant, args));
}

/** The same for one whose result nobody waits for (`TenantTransaction.write`). */
export function preparedWrite<A extends readonly unknown[]>(
  build: (tx: TenantTransaction, ...args: A) => Buildable<unknown>,
): (tx: TenantTransaction, ...args: A) => void {
  const kept = keptOnce(build);
  return (tx, ...args) => tx.write(kept(tx, args));
}

/**
 * Has Postgres keep a statement whose text is the same in every call: nothing of a request is in it but values.
 */
export function prepared<R>(query: Buildable<R>): { execute(db: QueryExecutorProvider): Promise<QueryResult<R>> } {
  return {
    async execute(db) {
      const compiled = query.compile(db);
      const statement: Statement<R> = { ...compiled, name: nameOf(compiled.sql) };
      return db.getExecutor().executeQuery<R>(statement);
    },
  };
}

/** Keeps it from its first use on. */
function keptOnce<T extends Tenant, A extends readonly unknown[], R>(
  build: (tenant: T, ...args: A) => Buildable<R>,
): (tenant: T, args: A) => Statement<R> {
  let statement: KeptStatement<R> | undefined;
  return (tenant, args) => {
    statement ??= keepStatement(tenant, args.length, (...markers) => build(tenant, ...(markers as unknown as A)));
    return statement.with(tenant.company_id, args);
  };
}
