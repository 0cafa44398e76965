/** Many new rows in one statement. */
import { type RawBuilder, sql } from 'kysely';
import type { TenantTable } from '../tenancy/tables.ts';
import type { EndTask, TenantTransaction } from './tenant.ts';

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

/**
 * Rows that are gathered during a transaction, and inserted at its end. A single one, as most are, is sent as it is: taking
 * it out of arrays would cost the database more than the rest of a small insert.
 * @param columns without `company_id`, which is filled in
 * @param problem what it means to the caller when the database refuses a row
 */
export function insertAtEnd<C extends ColumnTypes>(
  table: TenantTable,
  columns: C,
  problem?: EndTask<unknown>['problem'],
): EndTask<readonly Row<C>[]> {
  const names = Object.keys(columns);
  return {
    name: (rows) => (rows.length === 1 ? `one of ${table}` : `many of ${table}`),
    merge: (a, b) => [...a, ...b],
    values: (rows) => (rows.length === 1 ? names.map((name) => rows[0]![name] ?? null) : arraysOf(columns, rows)),
    statement: (tx, values, rows) =>
      rows.length === 1 ? insertOne(tx, table, columns, values) : insertArrays(tx, table, columns, values),
    problem,
  };
}

function insertOne(
  tx: TenantTransaction,
  table: TenantTable,
  columns: ColumnTypes,
  values: readonly unknown[],
): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table)} (company_id, ${columnNames(columns)})
    values (${tx.company_id}, ${sql.join(values)})`;
}

function insertArrays(
  tx: TenantTransaction,
  table: TenantTable,
  columns: ColumnTypes,
  arrays: readonly unknown[],
): RawBuilder<unknown> {
  const names = columnNames(columns);
  return sql`
    insert into ${sql.table(table)} (company_id, ${names})
    select ${tx.company_id}::uuid, ${names} from ${unnestedArrays(columns, arrays)}`;
}

function columnNames(columns: ColumnTypes): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)));
}

/** Rows as a table for a statement's `from`, under the name `given`. */
export function unnested<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): RawBuilder<unknown> {
  return unnestedArrays(columns, arraysOf(columns, rows));
}

/** The values of each column, in the order of `columns`. */
function arraysOf<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): unknown[][] {
  return Object.keys(columns).map((name) => rows.map((row) => row[name] ?? null));
}

function unnestedArrays(columns: ColumnTypes, arrays: readonly unknown[]): RawBuilder<unknown> {
  const typed = Object.values(columns).map((type, at) => sql`${arrays[at]}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(typed)}) as given (${columnNames(columns)})`;
}
