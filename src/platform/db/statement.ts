/** Statements that are built once, with the query builder as all others, and run often. */
import type { Compilable } from 'kysely';
import { type KeptStatement, keepStatement } from './kept-statement.ts';
import type { Tenant } from './tenant.ts';

type Run<T extends Tenant, A extends readonly unknown[], R> = (tenant: T, ...args: A) => Promise<R[]>;

/** A statement for any company. @returns its rows */
export type PointRead<A extends readonly unknown[], R> = Run<Tenant, A, R>;

/**
 * A statement that reads a few rows by an index, always in the same time: outside of transactions many of them share a
 * connection (see `platform/connection/pipeline.ts`), so a slow one would hold up the others.
 * @param build called once, with markers for the arguments: each must become a parameter of the statement, and all else it
 *   knows is the same in every call
 * @throws when an argument is no parameter
 */
export function pointRead<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Compilable<R>,
): PointRead<A, R> {
  return kept(build);
}

function kept<T extends Tenant, A extends readonly unknown[], R>(
  build: (tenant: T, ...args: A) => Compilable<R>,
): Run<T, A, R> {
  let statement: KeptStatement | undefined;
  return async (tenant, ...args) => {
    statement ??= keepStatement(tenant, args.length, (...markers) => {
      return build(tenant, ...(markers as unknown as A)).compile();
    });
    return tenant.read<R>(statement.sql, statement.parameters(tenant.company_id, args));
  };
}
