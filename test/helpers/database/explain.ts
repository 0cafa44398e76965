/** Measures the cost of a statement in rows and pages, which doesn't depend on the machine or its load. */
import pg from 'pg';
import { type Tenant, TenantTransaction } from '../../../src/platform/db/tenant.ts';
import type { TestDatabase } from './database.ts';

interface SentStatement {
  sql: string;
  parameters: readonly unknown[];
}

/** @returns the prepared statements that `work` sends for a company, in order */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const tenants: Pick<Tenant, 'run'>[] = [
    Object.getPrototypeOf(TenantTransaction.prototype),
    TenantTransaction.prototype,
  ];
  const spies = tenants.map((tenant) => jest.spyOn(tenant, 'run'));
  try {
    await work();
    return spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** @returns all statements that match `pattern` and that `work` sends on any connection, prepared or not */
export async function queriesOf(pattern: RegExp, work: () => PromiseLike<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const { query } = pg.Client.prototype;
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [first, second] = args as [string | pg.QueryConfig, unknown[] | undefined];
    const { text, values = second ?? [] } = typeof first === 'string' ? { text: first, values: second } : first;
    if (pattern.test(text)) sent.push({ sql: text, parameters: values });
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as never);
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  expect(sent.length).toBeGreaterThan(0);
  return sent;
}

/** Turns off autovacuum, so that only the test's own analyze updates the planner statistics. */
export async function fixStatistics({ query }: TestDatabase, tables: readonly string[]): Promise<void> {
  for (const table of tables) await query(`alter table ${table} set (autovacuum_enabled = false)`);
  await query(`analyze ${tables.join(', ')}`);
}

/** @returns the rows that all steps of the plan produced or discarded */
export async function planRows(database: TestDatabase, statement: SentStatement): Promise<number> {
  return rowsOf(await planOf(database, statement));
}

/** @returns the table and index pages that a statement reads, counting repeated reads */
export async function pagesOfPlan(database: TestDatabase, statement: SentStatement): Promise<number> {
  return pagesIn(await planOf(database, statement));
}

function pagesIn(plan: Step): number {
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
}

/**
 * @param before parameters of five executions, after which Postgres keeps one plan for all values if it seems no more expensive
 * @returns the pages that the next execution of the prepared statement reads
 */
export async function pagesOfCachedPlan(
  { pool }: TestDatabase,
  { sql, parameters }: SentStatement,
  before = parameters,
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`prepare kept as ${sql}`);
    const executeSql = async (values: readonly unknown[]) => {
      const quoted = values.map((_, at) => `quote_nullable($${at + 1}::text)`);
      const { rows } = await client.query(`select array[${quoted}]::text[] as literals`, [...values]);
      return `execute kept ${values.length > 0 ? `(${rows[0].literals})` : ''}`;
    };
    const execution = await executeSql(before);
    for (let n = 0; n < 5; n++) await client.query(execution);
    return pagesIn(await explain(client, await executeSql(parameters)));
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
    client.release();
  }
}

/** Executes a statement and rolls it back. */
async function planOf({ pool }: TestDatabase, { sql, parameters }: SentStatement): Promise<Step> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await explain(client, sql, parameters);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function explain(client: pg.ClientBase, sql: string, parameters: readonly unknown[] = []): Promise<Step> {
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${sql}`, [...parameters]);
  return rows[0]['QUERY PLAN'][0].Plan;
}

interface Step {
  [figure: string]: unknown;
  Plans?: Step[];
}

/** Postgres reports the rows of one loop of a step, and the number of loops. */
function rowsOf({ Plans = [], ...step }: Step): number {
  const figures = Object.entries(step).filter(([name]) => name === 'Actual Rows' || name.startsWith('Rows Removed by'));
  const rows = figures.reduce((sum, [, perLoop]) => sum + Number(perLoop), 0);
  return Plans.reduce((sum, each) => sum + rowsOf(each), rows * Number(step['Actual Loops']));
}
