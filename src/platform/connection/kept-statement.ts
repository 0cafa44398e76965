/**
 * The text of a statement, kept: building it costs more than sending it. It is built once, with markers where the values
 * go; from then on only the values are put in their places.
 *
 * Postgres keeps it as well, parsed and planned, under a name for each connection. So whatever is kept has to come from a
 * fixed set: a module's constants, and nothing that a request composes. All other statements are sent without a name.
 */
import { createHash } from 'node:crypto';
import type { CompiledQuery, QueryExecutorProvider } from 'kysely';
import pg from 'pg';
import { nameQuery } from './library-internals.ts';
import { planName } from './stale-plan.ts';

/** A statement with its values, and the name under which Postgres keeps it, if it does. */
export interface Statement<R = unknown> extends CompiledQuery<R> {
  readonly name?: string | undefined;
}

export interface KeptStatement<R> {
  /**
   * @param values as many as it was built with
   * @param isNamed whether Postgres is to keep it, too
   */
  with(companyId: string, values: readonly unknown[], isNamed?: boolean): Statement<R>;
}

/** What the query builder and `sql` make. */
export interface Buildable<R> {
  compile(db: QueryExecutorProvider): CompiledQuery<R>;
}

/** Where a parameter comes from: the company, a value, or always the same. */
type Source = 'company' | { value: number } | { constant: unknown };

/**
 * @param count of values
 * @param build called once, with a marker for each value; what else it knows is the same in every call
 * @throws when a value is no parameter of the statement
 */
export function keepStatement<R>(
  { company_id: companyId, raw }: { company_id: string; raw: QueryExecutorProvider },
  count: number,
  build: (...markers: unknown[]) => Buildable<R>,
): KeptStatement<R> {
  const markers = Array.from({ length: count }, (_, value) => ({ value }));
  const compiled = build(...markers).compile(raw);
  const { sql, parameters } = compiled;
  const lost = markers.findIndex((marker) => !parameters.includes(marker));
  if (lost >= 0) throw new Error(`value ${lost + 1} is no parameter of the statement: ${sql}`);
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
/** Far more than there are: whoever names what a request composes does not fill Postgres with it. */
const mostNames = 500;

/** The same text has the same name in every process. @returns undefined when there are too many */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/**
 * Sends a statement. As a query and not as its configuration, of which pg makes a copy that costs as much as all the rest.
 * @param keeping whether connections keep a statement that has a name
 * @param done called with what came of it; at once where it can't be sent
 */
export function sendStatement<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { sql, parameters, name }: Statement,
  keeping: boolean,
  done: (error: Error | null | undefined, result: pg.QueryResult<R>) => void,
): void {
  const values = parameters.length > 0 ? (parameters as unknown[]) : undefined;
  const query = new pg.Query(sql, values, done as never);
  if (keeping && name !== undefined) nameQuery(query, planName(name));
  client.query(query);
}
