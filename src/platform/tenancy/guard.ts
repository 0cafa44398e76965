/**
 * The last line of defence between companies: reads every statement before it is first sent and refuses it unless each
 * tenant table in it is bound to a company, and unless that company is the one the statement was made for.
 *
 * Bound means that, in the part of the statement where the table stands, `company_id` must equal a parameter: by a
 * condition that holds for every row (`where` or `join … on`, joined by `and`), directly or through another table's
 * company_id, or as the value of an inserted row. What the analysis does not understand is refused. It runs once per
 * statement text; afterwards a check compares parameters only.
 */
import { parseSync } from './sql-parser.ts';
import { tenant_tables } from './tables.ts';

const max_remembered = 2_000;
const tenantTables: ReadonlySet<string> = new Set(tenant_tables);
const remembered = new Map<string, Verdict>();

/** A statement that would reach a tenant table without naming the one company it acts for. */
export class TenantGuardError extends Error {
  override name = 'TenantGuardError';
}

/** Positions (from 0) of the parameters that must hold the company; or why the statement is refused. */
type Verdict = { company_parameters: readonly number[] } | { refused: string };

/**
 * @param company_id the company the statement acts for; undefined where no tenant table may be touched
 * @throws TenantGuardError
 */
export function guard(sql: string, parameters: readonly unknown[], company_id: string | undefined): void {
  const verdict = verdictOf(sql);
  if ('refused' in verdict) throw new TenantGuardError(`${verdict.refused}: ${sql}`);
  for (const position of verdict.company_parameters) {
    if (parameters[position] === company_id && company_id !== undefined) continue;
    throw new TenantGuardError(`parameter $${position + 1} is not the company the statement acts for: ${sql}`);
  }
}

function verdictOf(sql: string): Verdict {
  const known = remembered.get(sql);
  if (known) return known;
  const verdict = analyse(sql);
  if (remembered.size >= max_remembered) remembered.clear();
  remembered.set(sql, verdict);
  return verdict;
}

function analyse(sql: string): Verdict {
  const parameters = new Set<number>();
  try {
    for (const { stmt } of (parseSync(sql).stmts ?? []) as { stmt: Tree }[]) {
      const [kind] = Object.keys(stmt);
      if (!allowedStatements.has(kind!)) throw new Error(`${kind} is not for the application`);
      if (kind === 'DeclareCursorStmt') refuseHold(stmt[kind] as Tree);
      if (kind === 'VariableSetStmt') refuseRole(stmt[kind] as Tree);
      walk(stmt, noScope, parameters);
    }
  } catch (error) {
    return { refused: (error as Error).message };
  }
  return { company_parameters: [...parameters] };
}

type Tree = Record<string, unknown>;

/** Schema changes, locks and bulk copies are none of these: migrations run on a connection without a guard. */
const allowedStatements = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'TransactionStmt',
  'VariableSetStmt',
  // What a cursor reads is checked where it is declared; it ends with the transaction it was declared in.
  'DeclareCursorStmt',
  'FetchStmt',
]);

/** A cursor that outlives its transaction would be there for the next company on the same connection. */
function refuseHold({ options }: Tree): void {
  const hold = 0x20; // CURSOR_OPT_HOLD, in Postgres' parsenodes.h
  if (Number(options) & hold) throw new Error('a cursor that outlives its transaction');
}

/** The role decides what the application may do: see platform/schema/privileges.ts. */
function refuseRole({ kind, name }: Tree): void {
  const settings = ['role', 'session_authorization'];
  if (kind === 'VAR_RESET_ALL' || settings.includes(String(name))) throw new Error('the role is not to be changed');
}

interface Scope {
  /** Names that `with` gave to queries: they hide tables, and their bodies are checked where they stand. */
  queries: ReadonlySet<string>;
  /** Table names and aliases whose company_id is known to equal a parameter. */
  bound: ReadonlySet<string>;
}

const noScope: Scope = { queries: new Set(), bound: new Set() };

/** Checks every statement in `node`, wherever it stands: in `with`, in `from`, in an expression. */
function walk(node: unknown, scope: Scope, parameters: Set<number>): void {
  if (Array.isArray(node)) for (const each of node) walk(each, scope, parameters);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'SelectStmt' || key === 'UpdateStmt' || key === 'DeleteStmt' || key === 'InsertStmt') {
      checkStatement(key, value as Tree, scope, parameters);
    } else if ((key === 'larg' || key === 'rarg') && isSelect(value)) {
      checkStatement('SelectStmt', value as Tree, scope, parameters); // the two sides of a union
    } else if (key === 'RangeVar' || key === 'relation') {
      refuseTenantTable(value as Tree, scope); // a place where no statement above accounted for it
    } else walk(value, scope, parameters);
  }
}

function checkStatement(kind: string, statement: Tree, outer: Scope, parameters: Set<number>): void {
  const { withClause, ...body } = statement as Tree & { withClause?: Tree };
  const queries = new Set([...outer.queries, ...queryNames(withClause)]);
  walk(withClause, { ...outer, queries }, parameters);

  const tables = tablesOf(kind, body, queries);
  const bindings = bindingsOf(body, tables);
  const own = closure(bindings, outer.bound);
  for (const { alias, table } of tables) {
    if (!own.has(alias)) throw new Error(`${table} is not bound to a company`);
  }
  if (tables.length > 0) for (const [, to] of bindings) if ('parameter' in to) parameters.add(to.parameter);
  const bound = new Set([...outer.bound, ...own]);
  if (kind === 'InsertStmt') checkInsert(body, queries, parameters);
  if (kind === 'UpdateStmt') refuseMove(body.targetList, tables);
  walk(withoutTables(body), { queries, bound }, parameters);
}

interface Table {
  table: string;
  alias: string;
}

/** The tenant tables that a statement reads or changes in its own `from`; an insert's target is checked apart. */
function tablesOf(kind: string, body: Tree, queries: ReadonlySet<string>): Table[] {
  const found: Table[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { RangeVar, JoinExpr } = node as { RangeVar?: Tree; JoinExpr?: Tree };
      if (RangeVar) add(RangeVar);
      if (JoinExpr) visit([JoinExpr.larg, JoinExpr.rarg]);
    }
  };
  const add = (range: Tree) => {
    const table = String(range.relname);
    if (!tenantTables.has(table) || (queries.has(table) && !range.schemaname)) return;
    found.push({ table, alias: String((range.alias as Tree)?.aliasname ?? table) });
  };
  visit([body.fromClause, body.usingClause]);
  if ((kind === 'UpdateStmt' || kind === 'DeleteStmt') && body.relation) add(body.relation as Tree);
  return found;
}

/** An equality that holds for every row of the statement: a company_id and a parameter, or two company_ids. */
type Binding = [alias: string, to: { parameter: number } | { alias: string }];

function bindingsOf(body: Tree, tables: Table[]): Binding[] {
  const only = tables.length === 1 ? tables[0]!.alias : undefined; // whose column an unqualified company_id is
  const found = equalities(body.whereClause, only);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    const join = (node as { JoinExpr?: Tree } | undefined)?.JoinExpr;
    if (!join) return;
    visit([join.larg, join.rarg]);
    const aliases = new Set(aliasesIn(join.jointype === 'JOIN_RIGHT' ? join.larg : join.rarg));
    // The condition of an outer join says nothing about the rows of the side that is kept whole.
    const holds = ([alias]: Binding) => join.jointype === 'JOIN_INNER' || aliases.has(alias);
    if (join.jointype !== 'JOIN_FULL') found.push(...equalities(join.quals, only).filter(holds));
  };
  visit([body.fromClause, body.usingClause]);
  return found;
}

function equalities(condition: unknown, only: string | undefined): Binding[] {
  const { BoolExpr, A_Expr } = (condition ?? {}) as { BoolExpr?: Tree; A_Expr?: Tree };
  if (BoolExpr?.boolop === 'AND_EXPR') return (BoolExpr.args as unknown[]).flatMap((each) => equalities(each, only));
  if (A_Expr?.kind !== 'AEXPR_OP' || operator(A_Expr) !== '=') return [];
  const left = companyOf(A_Expr.lexpr, only);
  const right = companyOf(A_Expr.rexpr, only);
  const bindings: Binding[] = [];
  if (left && 'alias' in left && right) bindings.push([left.alias, right]);
  if (right && 'alias' in right && left) bindings.push([right.alias, left]);
  return bindings;
}

/** An expression as the company it stands for: a parameter, or some table's company_id. */
function companyOf(node: unknown, only?: string): { parameter: number } | { alias: string } | undefined {
  const { TypeCast, ParamRef, ColumnRef } = (node ?? {}) as { TypeCast?: Tree; ParamRef?: Tree; ColumnRef?: Tree };
  if (TypeCast) return companyOf(TypeCast.arg, only);
  if (ParamRef) return { parameter: Number(ParamRef.number) - 1 };
  const names = ((ColumnRef?.fields ?? []) as { String?: { sval: string } }[]).map((field) => field.String?.sval);
  if (names.at(-1) !== 'company_id') return undefined;
  const alias = names.length > 1 ? names.at(-2) : only;
  return alias ? { alias } : undefined;
}

/** The aliases that the bindings tie to a parameter, directly or through one another. */
function closure(bindings: Binding[], outer: ReadonlySet<string>): Set<string> {
  const bound = new Set<string>();
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const [alias, to] of bindings) {
      if ('parameter' in to || bound.has(to.alias) || outer.has(to.alias)) bound.add(alias);
    }
  }
  return bound;
}

/** Every inserted row must take its company_id from a parameter. */
function checkInsert(body: Tree, queries: ReadonlySet<string>, parameters: Set<number>): void {
  const table = String((body.relation as Tree).relname);
  if (!tenantTables.has(table) || queries.has(table)) return;
  const columns = ((body.cols ?? []) as { ResTarget: { name: string } }[]).map((column) => column.ResTarget.name);
  const at = columns.indexOf('company_id');
  const select = (body.selectStmt as { SelectStmt?: Tree } | undefined)?.SelectStmt;
  const rows = select?.valuesLists
    ? (select.valuesLists as { List: { items: unknown[] } }[]).map((row) => row.List.items[at])
    : [(select?.targetList as { ResTarget: { val: unknown } }[] | undefined)?.[at]?.ResTarget.val];
  for (const value of rows) {
    const company = at < 0 ? undefined : companyOf(value);
    if (!company || !('parameter' in company)) throw new Error(`a row of ${table} is not bound to a company`);
    parameters.add(company.parameter);
  }
  const onConflictClause = body.onConflictClause as Tree | undefined;
  if (onConflictClause) refuseMove(onConflictClause.targetList, [{ table, alias: table }]);
}

/** A row never changes its company. */
function refuseMove(targets: unknown, tables: Table[]): void {
  const names = ((targets ?? []) as { ResTarget: { name: string } }[]).map((target) => target.ResTarget.name);
  if (tables.length > 0 && names.includes('company_id'))
    throw new Error(`company_id of ${tables[0]!.table} is changed`);
}

function refuseTenantTable(range: Tree, scope: Scope): void {
  const table = String(range.relname);
  if (tenantTables.has(table) && !scope.queries.has(table)) throw new Error(`${table} is not bound to a company`);
}

/** The statement without the tables that were accounted for, so that the walk meets only what was not. */
function withoutTables(body: Tree): Tree {
  // What a locking clause names stands in `from` as well.
  const { relation: _, lockingClause: __, ...rest } = body;
  return { ...rest, fromClause: stripped(rest.fromClause), usingClause: stripped(rest.usingClause) };
}

function stripped(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripped);
  const { RangeVar, JoinExpr } = (node ?? {}) as { RangeVar?: Tree; JoinExpr?: Tree };
  if (RangeVar) return undefined;
  if (JoinExpr) return { JoinExpr: { ...JoinExpr, larg: stripped(JoinExpr.larg), rarg: stripped(JoinExpr.rarg) } };
  return node;
}

function aliasesIn(node: unknown): string[] {
  const { RangeVar, JoinExpr } = (node ?? {}) as { RangeVar?: Tree; JoinExpr?: Tree };
  if (RangeVar) return [String((RangeVar.alias as Tree)?.aliasname ?? RangeVar.relname)];
  return JoinExpr ? [...aliasesIn(JoinExpr.larg), ...aliasesIn(JoinExpr.rarg)] : [];
}

function queryNames(withClause: Tree | undefined): string[] {
  const queries = (withClause?.ctes ?? []) as { CommonTableExpr: { ctename: string } }[];
  return queries.map((query) => query.CommonTableExpr.ctename);
}

function operator(expression: Tree): string | undefined {
  return (expression.name as { String?: { sval: string } }[])[0]?.String?.sval;
}

function isSelect(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'op' in value && 'limitOption' in value;
}
