/**
 * What the names in a statement stand for. Each stands for one thing: a name that is visible where a query stands is not
 * given again inside, and no table's name is given to something else. So nobody has to work out which of two is meant,
 * and nothing is hidden. Only a tenant table's own name may stand again inside, where it is bound for itself.
 */
import { ownTables, queueTables, tenantTables } from './known.ts';
import { listOf, nodeOf, type Refuse, type Tree } from './tree.ts';

export interface Scope {
  /** Queries that `with` gave a name. */
  queries: ReadonlySet<string>;
  /** Those of them that can't be read here: in their own body and in those before, the name is that of a table. */
  later: ReadonlySet<string>;
  /** Tables, by the names that columns have here. */
  names: ReadonlySet<string>;
  /** Those of them whose company_id is known to equal a parameter. */
  bound: ReadonlySet<string>;
}

export const noScope: Scope = { queries: new Set(), later: new Set(), names: new Set(), bound: new Set() };

/** Something with columns, in `from` or as the target of a change. */
export interface Source {
  /** Undefined for what has none; then its columns have no table either. */
  name: string | undefined;
  /** The tenant table that it is. */
  tenantTable: string | undefined;
}

/** Names with a meaning of their own: the row that could not be inserted, and a row before and after its change. */
const taken = new Set(['excluded', 'old', 'new']);

/**
 * The names that `with` gives. Each query sees those before it, and with `recursive` all of them.
 * @returns each query with what it sees, and what the statement sees
 */
export function queriesOf(withClause: Tree | undefined, outer: Scope, refuse: Refuse) {
  const ctes = listOf(withClause?.ctes).map((each) => nodeOf('CommonTableExpr', each)!);
  const own = ctes.map(({ ctename }) => String(ctename));
  for (const [at, name] of own.entries()) {
    if (ownTables.has(name)) refuse('query-name', `a query has the name of the table ${name}`);
    if (outer.queries.has(name) || own.indexOf(name) < at) refuse('query-name', `there is a query ${name} already`);
  }
  const around = { ...outer, queries: new Set([...outer.queries, ...own]) };
  const queries = ctes.map(({ ctequery }, at) => {
    const later = withClause?.recursive ? [] : own.slice(at);
    return { query: ctequery, scope: { ...around, later: new Set([...outer.later, ...later]) } };
  });
  return { queries, around };
}

/** What a statement reads in its own `from`, and what it updates or deletes; the target of an insert is not among them. */
export function sourcesOf(kind: string, body: Tree, scope: Scope, refuse: Refuse): Source[] {
  const found: Source[] = [];
  const visit = (node: unknown): void => {
    for (const each of listOf(node)) visit(each);
    const range = nodeOf('RangeVar', node);
    const join = nodeOf('JoinExpr', node);
    const other = nodeOf('RangeSubselect', node) ?? nodeOf('RangeFunction', node);
    if (range) found.push(tableOf(range, scope, refuse));
    if (join) visit([join.larg, join.rarg]);
    if (join?.alias || join?.usingClause) refuse('alias', 'a join that gives columns another table');
    if (other) found.push({ name: aliasOf(other), tenantTable: undefined });
  };
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') found.push(targetOf(body, scope, refuse));
  visit([body.fromClause, body.usingClause]);
  checkNames(found, scope, refuse);
  return found;
}

/** What a statement changes: Postgres takes the table, even where a query has its name. */
export function targetOf({ relation }: Tree, scope: Scope, refuse: Refuse): Source {
  const { relname } = relation as Tree;
  if (scope.queries.has(String(relname))) refuse('query-name', `a query hides the target ${relname}`);
  return tableOf(relation as Tree, scope, refuse);
}

function tableOf(range: Tree, scope: Scope, refuse: Refuse): Source {
  const table = String(range.relname);
  const name = aliasOf(range) ?? table;
  if (scope.queries.has(table) && !range.schemaname) {
    if (scope.later.has(table)) refuse('query-name', `the query ${table} can't be read here`);
    return { name, tenantTable: undefined };
  }
  const known = range.schemaname === 'graphile_worker' ? queueTables : ownTables;
  if (!known.has(table) || !['public', 'graphile_worker', undefined].includes(range.schemaname as string)) {
    refuse('table', `${range.schemaname ?? ''} ${table} is not on the list of tables`.trim());
  }
  if ((range.alias as Tree | undefined)?.colnames) refuse('alias', `columns of ${table} get other names`);
  return { name, tenantTable: tenantTables.has(table) ? table : undefined };
}

function aliasOf({ alias, functions }: Tree): string | undefined {
  const given = (alias as Tree | undefined)?.aliasname as string | undefined;
  const called = nodeOf('FuncCall', listOf(nodeOf('List', listOf(functions)[0])?.items)[0]);
  return given ?? (nodeOf('String', listOf(called?.funcname).at(-1))?.sval as string | undefined);
}

/** @param scope what is visible where the sources stand */
export function checkNames(sources: readonly Source[], scope: Scope, refuse: Refuse): void {
  const here = new Set<string>();
  for (const { name, tenantTable } of sources) {
    if (name === undefined) continue;
    const isOwn = name === tenantTable;
    if (taken.has(name)) refuse('alias', `${name} has a meaning of its own`);
    if (tenantTables.has(name) && !isOwn) refuse('alias', `something else has the name of the table ${name}`);
    if (here.has(name) || (scope.names.has(name) && !isOwn))
      refuse('alias', `${name} stands for something else already`);
    here.add(name);
  }
}

/** The statement without its tables, so that a search through it meets only those that were not accounted for. */
export function withoutTables(body: Tree): Tree {
  // What a locking clause names stands in `from` as well.
  const { relation: _, lockingClause: __, ...rest } = body;
  return { ...rest, fromClause: stripped(rest.fromClause), usingClause: stripped(rest.usingClause) };
}

function stripped(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripped);
  if (nodeOf('RangeVar', node)) return undefined;
  const join = nodeOf('JoinExpr', node);
  return join ? { JoinExpr: { ...join, larg: stripped(join.larg), rarg: stripped(join.rarg) } } : node;
}
