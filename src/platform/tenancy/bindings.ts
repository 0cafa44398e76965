/** Finds the tables of a statement whose rows are restricted to one company by a condition that holds for every row. */
import type { Source } from './aliases.ts';
import { listOf, nodeOf, type Tree, wordsOf } from './tree.ts';

/** An expression that denotes a company: a parameter (from 0), or some table's company_id. */
type Company = { parameter: number } | { table: string };

/** The table's company_id equals the other in every row. */
export type Binding = [table: string, to: Company];

/** Bindings from `where` and join conditions. */
export function bindingsOf(body: Tree, sources: readonly Source[]): Binding[] {
  const names = new Set(sources.map(({ name }) => name));
  const tables = sources.filter(({ tenantTable }) => tenantTable);
  const only = tables.length === 1 ? tables[0]!.name : undefined; // the table that an unqualified company_id belongs to
  const found = equalities(body.whereClause, only).filter(([table]) => names.has(table));
  const visit = (node: unknown): void => {
    for (const each of listOf(node)) visit(each);
    const join = nodeOf('JoinExpr', node);
    if (!join) return;
    visit([join.larg, join.rarg]);
    const reached = restrictedNames(join);
    found.push(...equalities(join.quals, only).filter(([table]) => reached.has(table)));
  };
  visit([body.fromClause, body.usingClause]);
  return found;
}

/** The condition of an outer join doesn't restrict rows of the preserved side. */
function restrictedNames({ jointype, larg, rarg }: Tree): Set<string> {
  if (jointype === 'JOIN_INNER') return new Set([...namesIn(larg), ...namesIn(rarg)]);
  if (jointype === 'JOIN_LEFT') return new Set(namesIn(rarg));
  if (jointype === 'JOIN_RIGHT') return new Set(namesIn(larg));
  return new Set();
}

function namesIn(node: unknown): string[] {
  const join = nodeOf('JoinExpr', node);
  if (join) return [...namesIn(join.larg), ...namesIn(join.rarg)];
  const { alias, relname } = nodeOf('RangeVar', node) ?? nodeOf('RangeSubselect', node) ?? {};
  const name = (alias as Tree | undefined)?.aliasname ?? relname;
  return name === undefined ? [] : [String(name)];
}

function equalities(condition: unknown, only: string | undefined): Binding[] {
  const both = nodeOf('BoolExpr', condition);
  if (both?.boolop === 'AND_EXPR') return listOf(both.args).flatMap((each) => equalities(each, only));
  const comparison = nodeOf('A_Expr', condition);
  if (comparison?.kind !== 'AEXPR_OP' || wordsOf(comparison.name).join('.') !== '=') return [];
  const left = companyOf(comparison.lexpr, only);
  const right = companyOf(comparison.rexpr, only);
  const bindings: Binding[] = [];
  if (left && 'table' in left && right) bindings.push([left.table, right]);
  if (right && 'table' in right && left) bindings.push([right.table, left]);
  return bindings;
}

/** @param only the table that an unqualified company_id belongs to */
export function companyOf(node: unknown, only?: string): Company | undefined {
  const parameter = nodeOf('ParamRef', asUuid(node));
  if (parameter) return { parameter: Number(parameter.number) - 1 };
  const words = wordsOf(nodeOf('ColumnRef', node)?.fields);
  const [column, table = only] = words.toReversed();
  return column === 'company_id' && table !== undefined && words.length <= 2 ? { table } : undefined;
}

/** Accepts only casts to uuid: any other type might make two companies equal. */
function asUuid(node: unknown): unknown {
  const cast = nodeOf('TypeCast', node);
  if (!cast) return node;
  const { names, arrayBounds } = cast.typeName as Tree;
  return wordsOf(names).at(-1) === 'uuid' && !arrayBounds ? cast.arg : undefined;
}

/** The tables bound to a parameter, directly or through other tables. @param outer tables already bound in outer queries */
export function boundBy(bindings: readonly Binding[], outer: ReadonlySet<string>): Set<string> {
  const bound = new Set<string>();
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const [table, to] of bindings) {
      if ('parameter' in to || bound.has(to.table) || outer.has(to.table)) bound.add(table);
    }
  }
  return bound;
}
