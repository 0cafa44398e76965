/**
 * Decides from its text whether a Citus cluster accepts a statement. `watch-statements.ts` checks every statement that
 * tests have the application send, so incompatible ones are found without a cluster.
 *
 * The rules come from the Citus source (13.0, `multi_router_planner.c`) and from runs on a cluster:
 * `citus-rules.unit.test.ts` lists statements that it rejected, or executed differently than a single Postgres. `make proof
 * NAME=cluster` finds what a text doesn't show, such as column types.
 */
import { distributedTableNames, replicatedTables } from '../../../src/platform/schema/distribute.ts';
import { parseSync } from '../../../src/platform/tenancy/sql-parser.ts';
import { nodeOf, type Tree } from '../../../src/platform/tenancy/tree.ts';
import { validateStatement as validateBindings } from '../../../src/platform/tenancy/validate-statement.ts';
import { contains, namedQueries, nodesIn, type Part, partsOf, tablesIn } from './parts.ts';
import { volatilityOf } from './volatility.ts';

interface Rule {
  reason: string;
  breaks(statement: Statement): boolean;
}

interface Statement {
  sql: string;
  tree: Tree;
  /** Tables that stay on the coordinator, and those of the queue. */
  local: string[];
  distributed: string[];
  /** In the order in which a cluster executes them. */
  parts: Part[];
  /** Parts that change a table of the cluster. */
  changes: Part[];
}

export const rules = {
  'volatile in a change': {
    reason: 'Each machine would compute another value. Use statement_timestamp(), or pass it as a parameter.',
    breaks: ({ changes, tree }) => changes.some(isUpdateOrDelete) && contains(tree, isVolatile),
  },
  'changing value in case or coalesce': {
    reason:
      'Values are computed on the coordinator, before it is known which branch is taken. Compute it outside of it.',
    breaks: ({ changes }) =>
      changes.filter(isUpdateOrDelete).some(({ body }) => {
        return nodesIn(computed(body), ['CaseExpr', 'CoalesceExpr']).some((each) => contains(each, isMutable));
      }),
  },
  'changing value of a column': {
    reason: 'It would be computed on the coordinator, which does not have the row. Use an immutable function.',
    breaks: ({ changes }) => changes.filter(isUpdateOrDelete).some(({ body }) => contains(computed(body), isOfColumn)),
  },
  'changing value in returning': {
    reason: 'It is computed where the row is. Return columns, and compute in a statement of its own.',
    breaks: ({ changes }) =>
      changes.some(({ body }) => contains([body.returningClause, body.returningList], isMutable)),
  },
  'changing value in do update': {
    reason: 'It is computed where the row is. Take it from the row that was to be inserted: `excluded`.',
    breaks: ({ changes }) => changes.some(({ body }) => contains(body.onConflictClause, isMutable)),
  },
  'query in values': {
    reason: 'Values are computed on the coordinator, which does not have the rows. Use `insert … select`.',
    breaks: ({ changes }) =>
      changes.some(({ body }) => {
        const select = nodeOf('SelectStmt', body.selectStmt);
        return contains([select?.valuesLists, body.onConflictClause], (kind) => kind === 'SubLink');
      }),
  },
  'short form of case': {
    reason:
      'Beside a query, Citus writes it down wrongly for the machine: `text = boolean`. Repeat the value in each branch.',
    breaks: ({ tree, distributed }) =>
      distributed.length > 0 && nodesIn(tree, ['CaseExpr']).some(({ arg }) => arg !== undefined),
  },
  'several inserting parts': {
    reason:
      'Foreign keys need an order: Postgres checks them at the end, a cluster after each part. Send plain statements.',
    breaks: ({ changes }) => changes.filter(({ kind }) => kind === 'InsertStmt').length > 1,
  },
  'reads what it changes': {
    reason:
      'On one Postgres, all parts see what was there before the statement; on a cluster, what the part before left.',
    breaks: ({ changes, parts }) =>
      changes.some((change) => {
        const later = parts.slice(parts.indexOf(change) + 1);
        return later.some(({ body }) => tablesIn(body).includes(change.target!));
      }),
  },
  'tables of the cluster beside local ones': {
    reason: 'They are on different machines, so that all rows of one travel to the other. Use a statement for each.',
    breaks: ({ local, distributed }) => local.length > 0 && distributed.length > 0,
  },
  'across companies': {
    reason: 'What is not bound to one company goes to all machines: it may read, without locks, and change nothing.',
    breaks: ({ sql, tree, distributed, changes }) =>
      distributed.length > 0 &&
      (changes.some(({ target }) => distributedTableNames.includes(target!)) ||
        nodesIn(tree, ['LockingClause']).length > 0) &&
      !isBound(sql),
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** Most files send the same statements. */
const verdicts = new Map<string, RuleName[]>();

/** As `validateStatement`, but once per text and process. Invalid SQL, which any Postgres rejects, breaks none. */
export function brokenRules(sql: string): RuleName[] {
  const known = verdicts.get(sql);
  if (known) return known;
  let broken: RuleName[] = [];
  try {
    broken = validateStatement(sql);
  } catch {}
  verdicts.set(sql, broken);
  return broken;
}

/** @param sql one statement of the application @returns the rules that it breaks */
export function validateStatement(sql: string): RuleName[] {
  const statements = (parseSync(sql).stmts ?? []) as { stmt: Tree }[];
  return statements.flatMap(({ stmt }) => {
    const tables = [...new Set(tablesIn(stmt))];
    const queries = namedQueries(stmt);
    const of = (list: readonly string[]) => tables.filter((name) => list.includes(name) && !queries.has(name));
    const cluster = [...of(distributedTableNames), ...of(replicatedTables)];
    const parts = partsOf(stmt);
    const statement: Statement = {
      sql,
      tree: stmt,
      distributed: of(distributedTableNames),
      local: tables.filter((name) => !cluster.includes(name) && !queries.has(name)),
      parts,
      changes: parts.filter(({ target }) => cluster.includes(target!)),
    };
    if (cluster.length === 0) return [];
    return (Object.keys(rules) as RuleName[]).filter((name) => rules[name].breaks(statement));
  });
}

function isUpdateOrDelete({ kind }: Part): boolean {
  return kind === 'UpdateStmt' || kind === 'DeleteStmt';
}

function isVolatile(kind: string, node: Tree): boolean {
  return volatilityOf(kind, node) === 'volatile';
}

function isMutable(kind: string, node: Tree): boolean {
  return (volatilityOf(kind, node) ?? 'immutable') !== 'immutable';
}

/** A stable function with a column in its arguments. */
function isOfColumn(kind: string, node: Tree): boolean {
  return volatilityOf(kind, node) === 'stable' && nodesIn(node, ['ColumnRef']).length > 0;
}

/** Assignments of a change, and its rows. Skips subqueries in assignments, which run where the row is. */
function computed({ targetList, whereClause }: Tree): unknown {
  return [withoutQueries(targetList), whereClause];
}

function withoutQueries(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutQueries);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key]) => key !== 'SubLink');
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutQueries(value)]));
}

/** Whether every table is bound to a company. */
function isBound(sql: string): boolean {
  try {
    return validateBindings(sql).length > 0;
  } catch {
    return false;
  }
}
