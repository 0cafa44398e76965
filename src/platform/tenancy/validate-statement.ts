/** Decides whether a statement can reach rows of one company only. See docs/decisions/0002-tenant-guard.md for the rules. */

import {
  checkNames,
  noScope,
  queriesOf,
  type Scope,
  type Source,
  sourcesOf,
  targetOf,
  withoutTables,
} from './aliases.ts';
import * as known from './allowlist.ts';
import { type Binding, bindingsOf, boundBy } from './bindings.ts';
import { checkCompanyFunctions, checkInsertedRows, refuseMove } from './rows.ts';
import { parseSync } from './sql-parser.ts';
import { checkShape } from './statement-shape.ts';
import type { Refuse, Rule, Tree } from './tree.ts';

export class Refusal extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, reason: string) {
    super(reason);
    this.rule = rule;
  }
}

const refuseAlways: Refuse = (rule, reason) => {
  throw new Refusal(rule, reason);
};

/** @returns positions (from 0) of the parameters that must hold the company @throws ApiError; SqlError of the parser */
export function validateStatement(sql: string, refuse: Refuse = refuseAlways): number[] {
  const parameters = new Set<number>();
  for (const { stmt } of (parseSync(sql).stmts ?? []) as { stmt: Tree }[]) {
    const [kind] = Object.keys(stmt) as [string];
    if (!known.statements.has(kind)) refuse('statement', `${kind} is not for the application`);
    if (kind === 'DeclareCursorStmt') refuseHold(stmt[kind] as Tree, refuse);
    if (kind === 'VariableSetStmt') checkSetting(stmt[kind] as Tree, refuse);
    checkShape(stmt, refuse);
    checkCompanyFunctions(stmt, parameters, refuse);
    new StatementValidator(parameters, refuse).search(stmt, noScope);
  }
  return [...parameters];
}

/** A holdable cursor would still be open for the next company on the same connection. */
function refuseHold({ options }: Tree, refuse: Refuse): void {
  const hold = 0x20; // CURSOR_OPT_HOLD, in Postgres' parsenodes.h
  if (Number(options) & hold) refuse('statement', 'a cursor that outlives its transaction');
}

/** Changing the role would change what the application may do: see platform/schema/privileges.ts. */
function checkSetting({ kind, name, is_local: isLocal }: Tree, refuse: Refuse): void {
  const isKnown = known.settings.has(String(name)) && ['VAR_SET_VALUE', 'VAR_SET_DEFAULT'].includes(String(kind));
  if (!isKnown || !isLocal) refuse('statement', `${name ?? 'a setting'} is not to be changed`);
}

const queries: ReadonlySet<string> = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

class StatementValidator {
  readonly #parameters: Set<number>;
  readonly #refuse: Refuse;

  constructor(parameters: Set<number>, refuse: Refuse) {
    this.#parameters = parameters;
    this.#refuse = refuse;
  }

  /** Checks every query in `node`, wherever it is: in `with`, in `from`, in an expression. */
  search(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const each of node) this.search(each, scope);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (queries.has(key)) this.#query(key, value as Tree, scope);
      else if ((key === 'larg' || key === 'rarg') && isSelect(value)) this.#query('SelectStmt', value as Tree, scope);
      else if (key === 'RangeVar' || key === 'relation') {
        this.#refuse('table', `${(value as Tree).relname} stands where no table is expected`);
      } else this.search(value, scope);
    }
  }

  #query(kind: string, query: Tree, outer: Scope): void {
    const { withClause, ...body } = query as Tree & { withClause?: Tree };
    const named = queriesOf(withClause, outer, this.#refuse);
    for (const { query, scope } of named.queries) this.search(query, scope);
    const { enclosing } = named;
    if (kind === 'InsertStmt') this.#insert(body, enclosing);
    else this.#other(kind, body, enclosing);
  }

  #other(kind: string, body: Tree, enclosing: Scope): void {
    const sources = sourcesOf(kind, body, enclosing, this.#refuse);
    const bindings = bindingsOf(body, sources);
    const bound = boundBy(bindings, boundOutside(enclosing, sources));
    this.#checkBound(sources, bindings, bound);
    if (kind === 'UpdateStmt') refuseMove(body.targetList, sources[0]!, this.#refuse);
    this.search(withoutTables(body), within(enclosing, sources, bound));
  }

  #checkBound(sources: readonly Source[], bindings: readonly Binding[], bound: ReadonlySet<string>): void {
    const tables = sources.filter(({ tenantTable }) => tenantTable !== undefined);
    for (const { name, tenantTable } of tables) {
      if (!bound.has(name!)) this.#refuse('bound', `${tenantTable} is not bound to a company`);
    }
    if (tables.length === 0) return;
    for (const [, to] of bindings) if ('parameter' in to) this.#parameters.add(to.parameter);
  }

  #insert(body: Tree, enclosing: Scope): void {
    const target = targetOf(body, enclosing, this.#refuse);
    checkNames([target], enclosing, this.#refuse);
    checkInsertedRows(body, target, this.#parameters, this.#refuse);
    const { selectStmt, onConflictClause, returningClause } = body;
    this.search(selectStmt, enclosing);
    // Both the inserted row and the conflicting one are the company's: see checkInsertedRows.
    const rows = [target, { ...target, name: 'excluded' }];
    const bound = target.tenantTable ? [target.name!, 'excluded'] : [];
    this.search([onConflictClause, returningClause], within(enclosing, rows, new Set(bound)));
  }
}

/** Tables bound in outer queries, except those that appear again here: inside, their names refer to the inner ones. */
function boundOutside({ bound }: Scope, sources: readonly Source[]): Set<string> {
  const shadowed = new Set(sources.filter(({ name, tenantTable }) => name === tenantTable).map(({ name }) => name));
  return new Set([...bound].filter((name) => !shadowed.has(name)));
}

function within(enclosing: Scope, sources: readonly Source[], bound: ReadonlySet<string>): Scope {
  const names = sources.flatMap(({ name }) => name ?? []);
  return {
    ...enclosing,
    names: new Set([...enclosing.names, ...names]),
    bound: new Set([...enclosing.bound, ...bound]),
  };
}

function isSelect(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'op' in value && 'limitOption' in value;
}
