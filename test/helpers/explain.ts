/** How much work a statement is for Postgres, in rows: neither the machine nor what else it does has a part in it. */
import { type Tenant, TenantTransaction } from '../../src/platform/db/tenant.ts';
import type { TestDatabase } from './database.ts';

interface Sent {
  sql: string;
  parameters: readonly unknown[];
}

/** @returns the kept statements that `work` sends for a company, in their order */
export async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const tenants: Pick<Tenant, 'ask'>[] = [
    Object.getPrototypeOf(TenantTransaction.prototype),
    TenantTransaction.prototype,
  ];
  const spies = tenants.map((tenant) => jest.spyOn(tenant, 'ask'));
  try {
    await work();
    return spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Keeps the planner from learning of a table by itself: from here on it knows what the test has it analyze. */
export async function fixStatistics({ query }: TestDatabase, tables: readonly string[]): Promise<void> {
  for (const table of tables) await query(`alter table ${table} set (autovacuum_enabled = false)`);
  await query(`analyze ${tables.join(', ')}`);
}

/** @returns the rows that all steps of a statement's plan made or threw away */
export async function rowsOfPlan(database: TestDatabase, statement: Sent): Promise<number> {
  return rowsOf(await planOf(database, statement));
}

/** @returns the pages of tables and indexes that a statement reads, each as often as it is read */
export async function pagesOfPlan(database: TestDatabase, statement: Sent): Promise<number> {
  const plan = await planOf(database, statement);
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
}

/** Carries a statement out, and takes it back. */
async function planOf({ pool }: TestDatabase, { sql, parameters }: Sent): Promise<Step> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${sql}`, [...parameters]);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

interface Step {
  [figure: string]: unknown;
  Plans?: Step[];
}

/** Postgres tells the rows of one turn of a step, and how many turns there were. */
function rowsOf({ Plans = [], ...step }: Step): number {
  const figures = Object.entries(step).filter(([name]) => name === 'Actual Rows' || name.startsWith('Rows Removed by'));
  const rows = figures.reduce((sum, [, ofTurn]) => sum + Number(ofTurn), 0);
  return Plans.reduce((sum, each) => sum + rowsOf(each), rows * Number(step['Actual Loops']));
}
