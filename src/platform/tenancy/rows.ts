/** Checks that inserted rows belong to the company, and that no row moves to another company. */

import type { Source } from './aliases.ts';
import { companyFunctions } from './allowlist.ts';
import { companyOf } from './bindings.ts';
import { listOf, nodeOf, type Refuse, type Tree, wordsOf } from './tree.ts';

/**
 * Every inserted row needs a company_id from a parameter; `do update` needs a key with company_id, so that the row is its own.
 */
export function checkInsertedRows(body: Tree, target: Source, parameters: Set<number>, refuse: Refuse): void {
  const { tenantTable: table } = target;
  if (!table) return;
  const columns = listOf(body.cols).map((column) => nodeOf('ResTarget', column)?.name);
  for (const row of insertedRows(nodeOf('SelectStmt', body.selectStmt))) {
    const company = row.some(isStar) ? undefined : companyOf(row[columns.indexOf('company_id')]);
    if (company && 'parameter' in company) parameters.add(company.parameter);
    else refuse('row', `a row of ${table} is not bound to a company`);
  }
  const { action, infer, targetList } = (body.onConflictClause ?? {}) as Tree;
  if (action !== 'ONCONFLICT_UPDATE') return;
  const key = listOf((infer as Tree | undefined)?.indexElems).map((part) => nodeOf('IndexElem', part)?.name);
  if (!key.includes('company_id')) refuse('row', `a row of ${table} may be in conflict with another company's`);
  refuseMove(targetList, target, refuse);
}

/** The values of each row; an empty row if they can't be determined. */
function insertedRows(select: Tree | undefined): unknown[][] {
  if (select?.valuesLists) return listOf(select.valuesLists).map((row) => listOf(nodeOf('List', row)?.items));
  return [listOf(select?.targetList).map((target) => nodeOf('ResTarget', target)?.val)];
}

/** `*` expands to any number of columns, so later values shift to other columns. */
function isStar(value: unknown): boolean {
  return listOf(nodeOf('ColumnRef', value)?.fields).some((part) => nodeOf('A_Star', part));
}

/** A row never changes its company. */
export function refuseMove(targets: unknown, { tenantTable }: Source, refuse: Refuse): void {
  const names = listOf(targets).map((target) => nodeOf('ResTarget', target)?.name);
  if (tenantTable && names.includes('company_id')) refuse('row', `company_id of ${tenantTable} is changed`);
}

/** A function that changes rows must get the company as its first argument. */
export function checkCompanyFunctions(node: unknown, parameters: Set<number>, refuse: Refuse): void {
  if (typeof node !== 'object' || node === null) return;
  const call = nodeOf('FuncCall', node);
  const name = call && wordsOf(call.funcname).at(-1);
  if (name !== undefined && companyFunctions.has(name)) {
    const company = companyOf(listOf(call?.args)[0]);
    if (company && 'parameter' in company) parameters.add(company.parameter);
    else refuse('row', `${name} is not bound to a company`);
  }
  for (const key in node) checkCompanyFunctions((node as Tree)[key], parameters, refuse);
}
