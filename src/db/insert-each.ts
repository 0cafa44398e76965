/** Many new rows in one statement. */
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from './tenant.ts';
import type { TenantTable } from './types.ts';

/** Names of columns, each with its type in Postgres. */
export type ColumnTypes = Record<string, string>;

/** One row of values by column; what is left out is null, not the column's default. */
export type Row<C extends ColumnTypes> = { readonly [K in keyof C]?: unknown };

/**
 * An insert whose text is the same for one row and for a thousand, so that it is prepared, and read by the guard, once.
 * @param columns without `company_id`, which is filled in
 */
export function insertEach<C extends ColumnTypes>(
  tx: TenantTransaction,
  table: TenantTable,
  columns: C,
  rows: readonly Row<C>[],
): RawBuilder<unknown> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  return sql`
    insert into ${sql.table(table)} (company_id, ${names})
    select ${tx.company_id}::uuid, ${names} from ${unnested(columns, rows)}`;
}

/** Rows as a table for a statement's `from`, under the name `given`. */
export function unnested<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): RawBuilder<unknown> {
  const arrays = Object.entries(columns).map(
    ([name, type]) => sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(type)}[]`,
  );
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`unnest(${sql.join(arrays)}) as given (${sql.join(names)})`;
}
