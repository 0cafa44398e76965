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
  return insertArrays(tx, table, columns, arraysOf(columns, rows));
}

/** The same, of rows that are arrays already, one for each column. */
export function insertArrays(
  tx: TenantTransaction,
  table: TenantTable,
  columns: ColumnTypes,
  arrays: readonly unknown[],
): RawBuilder<unknown> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  return sql`
    insert into ${sql.table(table)} (company_id, ${names})
    select ${tx.company_id}::uuid, ${names} from ${unnestedArrays(columns, arrays)}`;
}

/** Rows as a table for a statement's `from`, under the name `given`. */
export function unnested<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): RawBuilder<unknown> {
  return unnestedArrays(columns, arraysOf(columns, rows));
}

/** The values of each column, in the order of `columns`. */
export function arraysOf<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): unknown[][] {
  return Object.keys(columns).map((name) => rows.map((row) => row[name] ?? null));
}

function unnestedArrays(columns: ColumnTypes, arrays: readonly unknown[]): RawBuilder<unknown> {
  const typed = Object.values(columns).map((type, at) => sql`${arrays[at]}::${sql.raw(type)}[]`);
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`unnest(${sql.join(typed)}) as given (${sql.join(names)})`;
}
