/** Keyset pagination: a page follows a position instead of skipping rows, so that it costs the same anywhere in a list. */
import type { SelectQueryBuilder, StringReference } from 'kysely';

/**
 * Orders by two columns, which are unique together, and skips all rows up to a position.
 * @param after both values of the previous page's last row; undefined for the first page
 */
export function keyset<DB, TB extends keyof DB>(
  columns: readonly [StringReference<DB, TB>, StringReference<DB, TB>],
  order: 'asc' | 'desc',
  after: readonly [unknown, unknown] | undefined,
) {
  return <O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query
      .$if(after !== undefined, (rest) =>
        rest.where(({ eb, refTuple, tuple }) =>
          eb(refTuple(...columns), order === 'asc' ? '>' : '<', tuple(...(after as [never, never]))),
        ),
      )
      .orderBy(columns[0] as never, order)
      .orderBy(columns[1] as never, order);
}
