/**
 * The text of a statement, kept: building it costs more than sending it. It is built once, with markers where the values
 * go; from then on only the values are put in their places.
 */
import type { CompiledQuery } from 'kysely';

export interface KeptStatement {
  sql: string;
  /** @param values as many as it was built with */
  parameters(company_id: string, values: readonly unknown[]): unknown[];
}

/** Where a parameter comes from: the company, a value, or always the same. */
type Source = 'company' | { value: number } | { constant: unknown };

/**
 * @param count of values
 * @param build called once, with a marker for each value; what else it knows is the same in every call
 * @throws when a value is no parameter of the statement
 */
export function keepStatement(
  { company_id }: { company_id: string },
  count: number,
  build: (...markers: unknown[]) => CompiledQuery,
): KeptStatement {
  const markers = Array.from({ length: count }, (_, value) => ({ value }));
  const { sql, parameters } = build(...markers);
  const lost = markers.findIndex((marker) => !parameters.includes(marker));
  if (lost >= 0) throw new Error(`value ${lost + 1} is no parameter of the statement: ${sql}`);
  const sources = parameters.map((parameter): Source => {
    const value = markers.indexOf(parameter as { value: number });
    if (value >= 0) return { value };
    return parameter === company_id ? 'company' : { constant: parameter };
  });
  return {
    sql,
    parameters: (company_id, values) =>
      sources.map((source) => {
        if (source === 'company') return company_id;
        return 'value' in source ? values[source.value] : source.constant;
      }),
  };
}
