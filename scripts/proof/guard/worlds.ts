// Two databases with the same small tables: one with only the company, one with another company as well.
import pg from 'pg';
import { tenantTableNames } from './parts.ts';

export const company = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
/** Same prefix as the company's id, and sorts first. */
export const otherCompany = '7c9e6679-0000-40de-944b-e07fc1f90ae7';

const maxStatementMs = 5_000;
/** A class of SQLSTATE. */
const constraintViolated = '23';

/** Every unique key of a tenant table starts with company_id, as in the application's schema. */
const schema = `
  create table companies (id uuid primary key, n integer not null, name text not null);
  insert into companies values ('${company}', 1, 'a'), ('${otherCompany}', 2, 'b');
  create table memberships (company_id uuid not null, id integer not null, n integer not null, name text not null);
  insert into memberships values ('${company}', 1, 1, 'a'), ('${otherCompany}', 1, 2, 'b'), ('${otherCompany}', 2, 1, 'c');
  ${tenantTableNames
    .map(
      (table) => `create table ${table} (
        company_id uuid not null, id integer not null, n integer not null, name text not null, primary key (company_id, id));`,
    )
    .join('\n')}
  create view everybody as select * from collaborators;`;

const companyRows = {
  [company]: [
    [1, 2, 'ours one'],
    [2, 1, 'ours two'],
    [3, 1, 'ours three'],
  ],
  [otherCompany]: [
    [1, 3, 'theirs five'],
    [2, 1, 'theirs six'],
    [3, 0, 'theirs seven'],
    [4, 2, 'theirs eight'],
  ],
};

export interface World {
  /** Runs a statement, reads its effects, and rolls it back. */
  run(sql: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** Comparable as text. */
interface Outcome {
  /** The returned rows, sorted; or the error. */
  found: string;
  hasFailed: boolean;
  /** The company's rows afterwards, and all others; undefined for a read-only statement. */
  ours?: string;
  theirs?: string;
}

/** @param url of an empty database */
export async function createWorld(url: string, companies: readonly (keyof typeof companyRows)[]): Promise<World> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`set statement_timeout = ${maxStatementMs}; ${schema}`);
  for (const table of tenantTableNames) {
    for (const id of companies) {
      for (const row of companyRows[id]!)
        await client.query(`insert into ${table} values ($1, $2, $3, $4)`, [id, ...row]);
    }
  }
  return { run: (sql) => run(client, sql), close: () => client.end() };
}

const allRows = tenantTableNames.map((table) => `select '${table}' as of, t.* from ${table} t`).join(' union all ');
const state = `
  select coalesce(string_agg(r::text, ' ' order by r::text) filter (where r.company_id = '${company}'), '') as ours,
    coalesce(string_agg(r::text, ' ' order by r::text) filter (where r.company_id <> '${company}'), '') as theirs
  from (${allRows}) r`;

async function run(client: pg.Client, sql: string): Promise<Outcome> {
  if (!/insert into|update|delete from/.test(sql)) return rowsOf(client, sql);
  await client.query('begin; savepoint before');
  const outcome = await rowsOf(client, sql);
  if (outcome.hasFailed) await client.query('rollback to savepoint before');
  const { rows } = await client.query<{ ours: string; theirs: string }>(state);
  await client.query('rollback');
  return { ...outcome, ...rows[0]! };
}

async function rowsOf(client: pg.Client, sql: string): Promise<{ found: string; hasFailed: boolean }> {
  const parameters = [company, otherCompany].slice(0, sql.includes('$2') ? 2 : sql.includes('$1') ? 1 : 0);
  try {
    const { rows } = await client.query({ text: sql, values: parameters, rowMode: 'array' });
    return {
      found: rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
      hasFailed: false,
    };
  } catch (error) {
    // Which of several invalid rows is reported is arbitrary.
    const { code = '' } = error as { code?: string };
    return { found: code.startsWith(constraintViolated) ? constraintViolated : code, hasFailed: true };
  }
}
