/**
 * A prepared statement: its text is built once, with markers for the values, because building costs more than sending.
 *
 * Postgres keeps it too, parsed and planned, under a name on each connection. So prepared statements must be a fixed set of
 * module constants, never composed from a request. Other statements are sent unnamed.
 */
import { createHash } from 'node:crypto';
import type { CompiledQuery, QueryExecutorProvider } from 'kysely';
import pg from 'pg';
import { nameQuery } from './library-internals.ts';
import { planName } from './stale-plan.ts';

/** A statement with its values, and its name if Postgres prepares it. */
export interface Statement<R = unknown> extends CompiledQuery<R> {
  readonly name?: string | undefined;
}

export interface PreparedStatement<R> {
  /**
   * @param values as many as it was built with
   * @param isNamed whether Postgres prepares it too
   */
  with(companyId: string, values: readonly unknown[], isNamed?: boolean): Statement<R>;
}

/** Made by the query builder or `sql`. */
export interface Buildable<R> {
  compile(db: QueryExecutorProvider): CompiledQuery<R>;
}

/** The source of a parameter: the company, a value, or a constant. */
type Source = 'company' | { value: number } | { constant: unknown };

/**
 * @param count number of values
 * @param build called once, with a marker for each value; everything else it uses must be constant
 * @throws when a value isn't a parameter of the statement
 */
export function prepareStatement<R>(
  { company_id: companyId, raw }: { company_id: string; raw: QueryExecutorProvider },
  count: number,
  build: (...markers: unknown[]) => Buildable<R>,
): PreparedStatement<R> {
  const markers = Array.from({ length: count }, (_, value) => ({ value }));
  const compiled = build(...markers).compile(raw);
  const { sql, parameters } = compiled;
  const unused = markers.findIndex((marker) => !parameters.includes(marker));
  if (unused >= 0) throw new Error(`value ${unused + 1} is no parameter of the statement: ${sql}`);
  const sources = parameters.map((parameter): Source => {
    const value = markers.indexOf(parameter as { value: number });
    if (value >= 0) return { value };
    return parameter === companyId ? 'company' : { constant: parameter };
  });
  return {
    with(ofCompany, values, isNamed = true) {
      const filled = sources.map((source) => {
        if (source === 'company') return ofCompany;
        return 'value' in source ? values[source.value] : source.constant;
      });
      return { ...compiled, parameters: filled, name: isNamed ? nameOf(sql) : undefined };
    },
  };
}

const names = new Map<string, string>();
/** Far more than needed: a bug that names composed statements can't fill Postgres's memory. */
const maxNames = 500;

/** The name is a hash of the text, so it is the same in every process. @returns undefined when there are too many */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/**
 * Sends a statement as a `pg.Query`: pg copies a configuration object, which costs as much as everything else.
 * @param prepares whether named statements are prepared
 * @param done called with the result; synchronously if the statement can't be sent
 */
export function sendStatement<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { sql, parameters, name }: Statement,
  prepares: boolean,
  done: (error: Error | null | undefined, result: pg.QueryResult<R>) => void,
): void {
  const values = parameters.length > 0 ? (parameters as unknown[]) : undefined;
  const query = new pg.Query(sql, values, done as never);
  if (prepares && name !== undefined) nameQuery(query, planName(name));
  client.query(query);
}
