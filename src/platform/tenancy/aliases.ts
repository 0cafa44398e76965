/**
 * Resolves the names in a statement. Shadowing is refused: a name visible in a query can't be redefined inside it, and a table's
 * name can't be used for anything else, so every name is unambiguous. Only a tenant table's own name may appear again in an inner
 * query, where it is bound separately.
 */
import { ownTables, queueTables, tenantTables } from './allowlist.ts';
import { listOf, nodeOf, type Refuse, type Tree } from './tree.ts';

export interface Scope {
  /** Names of `with` queries. */
  queries: ReadonlySet<string>;
  /** Those that aren't readable here: in their own body and earlier ones, the name refers to a table. */
  later: ReadonlySet<string>;
  /** Tables, by the name that qualifies their columns. */
  names: ReadonlySet<string>;
  /** Those whose company_id is known to equal a parameter. */
  bound: ReadonlySet<string>;
}

export const noScope: Scope = { queries: new Set(), later: new Set(), names: new Set(), bound: new Set() };

/** Something with columns, in `from` or as the target of a change. */
export interface Source {
  /** Undefined for an unnamed source, whose columns can't be qualified. */
  name: string | undefined;
  tenantTable: string | undefined;
}

/** Reserved names: the conflicting row of an insert, and a row before and after its change. */
const reservedNames = new Set(['excluded', 'old', 'new']);

/** The names defined by `with`, each with its scope. A query sees the ones before it; with `recursive` all of them. */
export function queriesOf(withClause: Tree | undefined, outer: Scope, refuse: Refuse) {
  const ctes = listOf(withClause?.ctes).map((each) => nodeOf('CommonTableExpr', each)!);
  const own = ctes.map(({ ctename }) => String(ctename));
  for (const [at, name] of own.entries()) {
    if (ownTables.has(name)) refuse('query-name', `a query has the name of the table ${name}`);
    if (outer.queries.has(name) || own.indexOf(name) < at) refuse('query-name', `there is a query ${name} already`);
  }
  const enclosing = { ...outer, queries: new Set([...outer.queries, ...own]) };
  const queries = ctes.map(({ ctequery }, at) => {
    const later = withClause?.recursive ? [] : own.slice(at);
    return { query: ctequery, scope: { ...enclosing, later: new Set([...outer.later, ...later]) } };
  });
  return { queries, enclosing };
}

/** The tables in a statement's own `from`, and the target of an update or delete, but not of an insert. */
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

/** The target of a change: Postgres uses the table, even if a query has its name. */
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
  const explicitAlias = (alias as Tree | undefined)?.aliasname as string | undefined;
  const called = nodeOf('FuncCall', listOf(nodeOf('List', listOf(functions)[0])?.items)[0]);
  return explicitAlias ?? (nodeOf('String', listOf(called?.funcname).at(-1))?.sval as string | undefined);
}

/** @param scope the scope around the sources */
export function checkNames(sources: readonly Source[], scope: Scope, refuse: Refuse): void {
  const localNames = new Set<string>();
  for (const { name, tenantTable } of sources) {
    if (name === undefined) continue;
    const isOwn = name === tenantTable;
    if (reservedNames.has(name)) refuse('alias', `${name} has a meaning of its own`);
    if (tenantTables.has(name) && !isOwn) refuse('alias', `something else has the name of the table ${name}`);
    if (localNames.has(name) || (scope.names.has(name) && !isOwn))
      refuse('alias', `${name} stands for something else already`);
    localNames.add(name);
  }
}

/** The statement without its resolved tables, so that a search finds only tables that aren't accounted for. */
export function withoutTables(body: Tree): Tree {
  // Tables in a locking clause are in `from` too.
  const { relation: _, lockingClause: __, ...rest } = body;
  return { ...rest, fromClause: stripped(rest.fromClause), usingClause: stripped(rest.usingClause) };
}

function stripped(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripped);
  if (nodeOf('RangeVar', node)) return undefined;
  const join = nodeOf('JoinExpr', node);
  return join ? { JoinExpr: { ...join, larg: stripped(join.larg), rarg: stripped(join.rarg) } } : node;
}
