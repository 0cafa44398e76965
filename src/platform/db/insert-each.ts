/** New rows: one, whose statement is kept, or many in one statement. Callers leave out `company_id`, which is filled in. */
import { type RawBuilder, sql } from 'kysely';
import type { TenantTable } from '../tenancy/tables.ts';
import { preparedQuery, preparedWrite } from './statement.ts';
import type { TenantTransaction } from './tenant.ts';

/** Names of columns, each with its type in Postgres. */
export type ColumnTypes = Record<string, string>;

/** One row of values by column; what is left out is null, not the column's default. */
export type Row<C extends ColumnTypes> = { readonly [K in keyof C]?: unknown };

/**
 * An insert whose text is the same for one row and for a thousand, so that it is read by the guard once.
 * @param columns without `company_id`
 */
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

/**
 * An insert of one row that nobody waits for.
 * @param columns without `company_id`; what a row leaves out is null, not the column's default
 */
export function rowWrite<C extends string>(
  table: TenantTable,
  columns: readonly C[],
): (tx: TenantTransaction, row: { readonly [K in C]?: unknown }) => void {
  const write = preparedWrite((tx, ...values: unknown[]) => insertOne(tx, table, columns, values));
  return (tx, row) => write(tx, ...columns.map((name) => row[name] ?? null));
}

/**
 * An insert of one row, which comes back as the database has it. What is undefined has the column's default. A statement is
 * kept for each set of columns that is given: so it is up to the code which are, and not to a client.
 */
export function rowInsert<C extends string, R>(
  table: TenantTable,
  returning: readonly (keyof R & string)[],
): (tx: TenantTransaction, row: { readonly [K in C]?: unknown }) => Promise<R> {
  const insertOf = (columns: readonly string[]) =>
    preparedQuery((tx, ...values: unknown[]) => {
      return sql<R>`${insertOne(tx, table, columns, values)} returning ${columnNames(returning)}`;
    });
  const kept = new Map<string, ReturnType<typeof insertOf>>();
  return async (tx, row) => {
    const given = Object.entries(row).filter(([, value]) => value !== undefined);
    const columns = given.map(([name]) => name);
    const insert = kept.get(columns.join()) ?? insertOf(columns);
    kept.set(columns.join(), insert);
    const [inserted] = await insert(tx, ...given.map(([, value]) => value));
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

/** Rows as a table for a statement's `from`, under the name `given`. */
export function unnested<C extends ColumnTypes>(columns: C, rows: readonly Row<C>[]): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => {
    const values = rows.map((row) => row[name] ?? null);
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(typed)}) as given (${columnNames(Object.keys(columns))})`;
}
