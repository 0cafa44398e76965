/** Inserts: one row by a prepared statement, or many rows in one statement. `company_id` is filled in. */
import { type RawBuilder, sql } from 'kysely';
import type { TenantTable } from '../tenancy/tables.ts';
import { preparedQuery, preparedWrite } from './statement.ts';
import type { TenantTransaction } from './tenant.ts';

export type ColumnTypes = Record<string, string>;

/** One row by column; a missing value is null, not the column's default. */
export type Row<C extends ColumnTypes> = { readonly [K in keyof C]?: unknown };

/** An insert whose text is the same for any number of rows, so that the guard parses it once. */
export function insertEach<C extends ColumnTypes>(
  tx: TenantTransaction,
  table: TenantTable,
  columns: C,
  rows: readonly Row<C>[],
): RawBuilder<unknown> {
  const names = columnNames(Object.keys(columns));
  return sql`
    insert into ${sql.table(table)} (company_id, ${names})
    select ${tx.company_id}::uuid, ${names} from ${unnested(columns, rows)}`;
}

/** An insert of one row whose result isn't awaited. A missing value is null, not the column's default. */
export function rowWrite<C extends string>(
  table: TenantTable,
  columns: readonly C[],
): (tx: TenantTransaction, row: { readonly [K in C]?: unknown }) => void {
  const write = preparedWrite((tx, ...values: unknown[]) => insertOne(tx, table, columns, values));
  return (tx, row) => write(tx, ...columns.map((name) => row[name] ?? null));
}

/**
 * An insert that returns the row as stored; an undefined value gets the column's default. Each set of columns is a statement that
 * is kept forever, so the code must choose the columns, never a client.
 */
export function rowInsert<C extends string, R>(
  table: TenantTable,
  returning: readonly (keyof R & string)[],
): (tx: TenantTransaction, row: { readonly [K in C]?: unknown }) => Promise<R> {
  const insertOf = (columns: readonly string[]) =>
    preparedQuery((tx, ...values: unknown[]) => {
      return sql<R>`${insertOne(tx, table, columns, values)} returning ${columnNames(returning)}`;
    });
  const inserts = new Map<string, ReturnType<typeof insertOf>>();
  return async (tx, row) => {
    const present = Object.entries(row).filter(([, value]) => value !== undefined);
    const columns = present.map(([name]) => name);
    const insert = inserts.get(columns.join()) ?? insertOf(columns);
    inserts.set(columns.join(), insert);
    const [inserted] = await insert(tx, ...present.map(([, value]) => value));
    return inserted!;
  };
}

function insertOne(
  { company_id: companyId }: { company_id: string },
  table: TenantTable,
  columns: readonly string[],
  values: readonly unknown[],
): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table)} (company_id, ${columnNames(columns)})
    values (${companyId}, ${sql.join(values)})`;
}

function columnNames(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(name)));
}

/** Rows as a table for a `from` clause, named `given`. */
export function unnested<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => {
    const values = rows.map((row) => row[name] ?? null);
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(typed)}) as given (${columnNames(Object.keys(columns))})`;
}
