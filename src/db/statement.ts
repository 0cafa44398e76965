/**
 * Statements that are built and compiled once: the query builder costs more than the whole rest of a point read. They are
 * written with the same builder as all others, and its text is kept, with the places where the arguments go.
 */
import type { Compilable } from 'kysely';
import type { Tenant } from './tenant.ts';

/** A statement for any company. @returns its rows */
export type PointRead<A extends readonly unknown[], R> = (tenant: Tenant, ...args: A) => Promise<R[]>;

/** Where a parameter of the statement comes from: the company, an argument, or always the same. */
type Source = 'company' | { argument: number } | { value: unknown };

/**
 * A statement that reads a few rows by an index, always in the same time: outside of transactions many of them share a
 * connection (see `pipeline.ts`), so a slow one would hold up the others.
 * @param build called once, with markers for the arguments: each must become a parameter of the statement, and all else it
 *   knows is the same in every call
 * @throws when an argument is no parameter
 */
export function pointRead<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Compilable<R>,
): PointRead<A, R> {
  let compiled: { sql: string; sources: Source[] } | undefined;
  return async (tenant, ...args) => {
    compiled ??= compile(build, tenant, args.length);
    const values = compiled.sources.map((source) => {
      if (source === 'company') return tenant.company_id;
      return 'argument' in source ? args[source.argument] : source.value;
    });
    return tenant.read<R>(compiled.sql, values);
  };
}

function compile<A extends readonly unknown[], R>(
  build: (tenant: Tenant, ...args: A) => Compilable<R>,
  tenant: Tenant,
  count: number,
): { sql: string; sources: Source[] } {
  const markers: unknown[] = Array.from({ length: count }, (_, at) => ({ argument: at }));
  const { sql, parameters } = build(tenant, ...(markers as unknown as A)).compile();
  const lost = markers.findIndex((marker) => !parameters.includes(marker));
  if (lost >= 0) throw new Error(`argument ${lost + 1} is no parameter of the statement: ${sql}`);
  const sources = parameters.map((value): Source => {
    const argument = markers.indexOf(value);
    if (argument >= 0) return { argument };
    return value === tenant.company_id ? 'company' : { value };
  });
  return { sql, sources };
}
