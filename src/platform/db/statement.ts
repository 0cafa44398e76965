/**
 * Statements that run often: built once with the query builder, and prepared once on each connection.
 * - Saves building the text (30 to 50 µs), and parsing and planning in Postgres.
 * - Costs about 40 KB in Postgres for each statement and connection, so they must be module constants.
 * - To switch it off: `DATABASE_PREPARED_STATEMENTS=false` sends statements unnamed, which saves only the building.
 * - Tests: `test/system/db/prepared.test.ts`, and "throws if an argument is lost in the builder" in
 *   `test/platform/db/point-reads.test.ts`.
 */
import type { QueryExecutorProvider, QueryResult } from 'kysely';
import {
  type Buildable,
  nameOf,
  type PreparedStatement,
  prepareStatement,
  type Statement,
} from '../connection/prepared-statement.ts';
import type { Tenant, TenantTransaction } from './tenant.ts';

export type PointRead<A extends readonly unknown[], R> = (tenant: Tenant, ...args: A) => Promise<R[]>;

/**
 * A statement that reads a few rows by an index in constant time. Outside transactions, many share a connection (see
 * `platform/connection/pipeline.ts`), so a slow one would block the others.
 * @param build called once, with a marker for each argument: each must become a parameter of the statement, and everything else
 * must be constant
 * @throws when an argument doesn't become a parameter
 */
export function pointRead<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Buildable<R>,
): PointRead<A, R> {
  const preparedFor = prepareOnce(build);
  return async (tenant, ...args) => tenant.read(preparedFor(tenant, args));
}

/** A statement that is used in many transactions, or on its own. @param build as for `pointRead` */
export function preparedQuery<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Buildable<R>,
): (tenant: Tenant, ...args: A) => Promise<R[]> {
  const preparedFor = prepareOnce(build);
  return async (tenant, ...args) => tenant.run(preparedFor(tenant, args));
}

/** The same for a statement whose result isn't awaited (`TenantTransaction.write`). */
export function preparedWrite<A extends readonly unknown[]>(
  build: (tx: TenantTransaction, ...args: A) => Buildable<unknown>,
): (tx: TenantTransaction, ...args: A) => void {
  const preparedFor = prepareOnce(build);
  return (tx, ...args) => tx.write(preparedFor(tx, args));
}

/** Prepares a statement whose text is constant: only values may come from the request. */
export function prepared<R>(query: Buildable<R>): { execute(db: QueryExecutorProvider): Promise<QueryResult<R>> } {
  return {
    async execute(db) {
      const compiled = query.compile(db);
      const statement: Statement<R> = { ...compiled, name: nameOf(compiled.sql) };
      return db.getExecutor().executeQuery<R>(statement);
    },
  };
}

function prepareOnce<T extends Tenant, A extends readonly unknown[], R>(
  build: (tenant: T, ...args: A) => Buildable<R>,
): (tenant: T, args: A) => Statement<R> {
  let statement: PreparedStatement<R> | undefined;
  return (tenant, args) => {
    statement ??= prepareStatement(tenant, args.length, (...markers) => build(tenant, ...(markers as unknown as A)));
    return statement.with(tenant.company_id, args);
  };
}
