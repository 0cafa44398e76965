/**
 * Checks that the hierarchy after the import has no cycles. Rejecting a row may break a cycle or leave an old one, so both checks
 * repeat until nothing changes.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { RowError } from '../state/row-errors.ts';
import { managerFields } from './columns/import-fields.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

export interface TreeRow {
  index: number;
  /** The id of an existing person, or `newcomer` for a new one. */
  node: string;
  isNew: boolean;
  /** Null for none; undefined for unchanged. */
  manager: string | null | undefined;
  /** The current manager's id. */
  before: string | null;
  failed: boolean;
  /** The row with the address or number that names the manager, who is its current holder if that row fails. */
  named?: { in: number; holder: string };
  managedManager?: RowError;
}

/** Nodes between pauses: there may be a hundred thousand, and this thread also serves requests. */
const nodesAtOnce = 5_000;
const idsPerQuery = 1_000;

export function treeRowOf({ index, before, manager, managedManager, errors }: MatchedRow): TreeRow {
  const node = before ? before.id : newcomer(index);
  const above = manager && ('id' in manager ? manager.id : newcomer(manager.index));
  const isNew = before === undefined;
  const named = manager?.index === undefined ? {} : { named: { in: manager.index, holder: above! } };
  const failed = errors.length > 0;
  return {
    index,
    node,
    isNew,
    manager: above,
    before: before?.manager_id ?? null,
    failed,
    ...named,
    ...(managedManager && { managedManager }),
  };
}

function newcomer(index: number): string {
  return `row ${index}`;
}

/** Resolves managers, in place, who are named by an address or number that their own row gives them. */
export function resolveNamedManagers(treeRows: readonly TreeRow[]): void {
  const people = new Map(treeRows.filter(({ failed }) => !failed).map((each) => [each.index, each]));
  for (const treeRow of treeRows) {
    if (treeRow.named) treeRow.manager = people.get(treeRow.named.in)?.node ?? treeRow.named.holder;
  }
}

export function isMove({ isNew, manager, before }: TreeRow): boolean {
  return !isNew && Boolean(manager) && manager !== before;
}

/**
 * @param above the current managers, from `managersAbove`
 * @returns the reason by row index: the `manager` is rejected, or the row closes a `cycle`
 */
export async function hierarchyErrors(
  treeRows: readonly TreeRow[],
  above: ReadonlyMap<string, string>,
): Promise<Map<number, 'manager' | 'cycle'>> {
  const found = new Map<number, 'manager' | 'cycle'>();
  const newcomers = new Map(treeRows.filter(({ isNew }) => isNew).map((treeRow) => [treeRow.node, treeRow]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const treeRow of await withoutManager(treeRows, newcomers)) found.set(treeRow.index, 'manager');
    for (const treeRow of await inCycles(treeRows, above)) found.set(treeRow.index, 'cycle');
  }
  return found;
}

/** Rows whose new manager is rejected, transitively. */
async function withoutManager(
  treeRows: readonly TreeRow[],
  newcomers: ReadonlyMap<string, TreeRow>,
): Promise<TreeRow[]> {
  const reports = new Map<string, TreeRow[]>();
  const rejected: TreeRow[] = [];
  const reject = (treeRow: TreeRow) => {
    if (treeRow.failed) return;
    treeRow.failed = true;
    rejected.push(treeRow);
  };
  for (const [at, treeRow] of treeRows.entries()) {
    if (at % nodesAtOnce === 0) await pause();
    const { manager } = treeRow;
    if (typeof manager !== 'string' || !manager.startsWith('row ')) continue;
    if (newcomers.get(manager)?.failed ?? true) reject(treeRow);
    const siblings = reports.get(manager) ?? [];
    reports.set(manager, siblings);
    siblings.push(treeRow);
  }
  for (const treeRow of rejected) if (treeRow.isNew) reports.get(treeRow.node)?.forEach(reject); // grows during the iteration
  return rejected;
}

async function inCycles(treeRows: readonly TreeRow[], above: ReadonlyMap<string, string>): Promise<TreeRow[]> {
  const byNode = await rowsByNode(treeRows);
  const next = managersBy(byNode, above);
  const walks = new Map<string, number>();
  const cycleRows: TreeRow[] = [];
  let walk = 0;
  for (const start of byNode.keys()) {
    if (++walk % nodesAtOnce === 0) await pause();
    let node: string | undefined = start;
    for (; node !== undefined && !walks.has(node); node = next(node)) walks.set(node, walk);
    if (node === undefined || walks.get(node) !== walk) continue;
    // Everyone from here around the cycle.
    let each = node;
    do {
      const treeRow = byNode.get(each);
      if (treeRow && treeRow.manager !== treeRow.before) cycleRows.push(treeRow);
      each = next(each)!;
    } while (each !== node);
  }
  for (const treeRow of cycleRows) treeRow.failed = true;
  return cycleRows;
}

/** The tree after all unmarked rows. @param above the current managers, from `managersAbove` */
export async function finalManagers(
  treeRows: readonly TreeRow[],
  above: ReadonlyMap<string, string>,
): Promise<(node: string) => string | undefined> {
  return managersBy(await rowsByNode(treeRows), above);
}

function managersBy(byNode: ReadonlyMap<string, TreeRow>, above: ReadonlyMap<string, string>) {
  return (node: string) => {
    const treeRow = byNode.get(node);
    return treeRow ? (treeRow.manager ?? undefined) : above.get(node);
  };
}

/** The rows that name a manager, by node. */
async function rowsByNode(treeRows: readonly TreeRow[]): Promise<Map<string, TreeRow>> {
  const byNode = new Map<string, TreeRow>();
  for (const [at, treeRow] of treeRows.entries()) {
    if (at % nodesAtOnce === 0) await pause();
    if (!treeRow.failed && treeRow.manager !== undefined) byNode.set(treeRow.node, treeRow);
  }
  return byNode;
}

/** The managers above everyone named as a manager, if a cycle through them is possible. */
export async function managersAbove(tenant: Tenant, treeRows: readonly TreeRow[]): Promise<Map<string, string>> {
  const above = new Map<string, string>();
  const holders = treeRows.flatMap((each) => (each.named ? [{ ...each, manager: each.named.holder }] : []));
  const possible = [...treeRows, ...holders];
  if (!possible.some(isMove)) return above;
  const managers = new Set(
    possible.flatMap(({ manager }) => (manager && !manager.startsWith('row ') ? [manager] : [])),
  );
  const ids = [...managers];
  const { company_id: companyId } = tenant;
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const { rows } = await sql<{ id: string; manager_id: string }>`
      with recursive chain as (
        select id, manager_id from collaborators
        where company_id = ${companyId} and id = any(${ids.slice(at, at + idsPerQuery)}::uuid[])
        union
        select up.id, up.manager_id from collaborators up join chain on up.id = chain.manager_id
        where up.company_id = ${companyId}
      )
      select id, manager_id from chain where manager_id is not null`.execute(tenant.raw);
    for (const { id, manager_id: managerId } of rows) above.set(id, managerId);
  }
  return above;
}

export function hierarchyError(table: PeopleTable, index: number, reason: 'manager' | 'cycle') {
  const row = table.rows[index]!;
  const field = managerFields.find((each) => table.fieldColumns.has(each)) ?? 'manager_email';
  return reason === 'cycle'
    ? errorOf(table, row, field, 'cycle', t`This person would report to themselves through others.`)
    : errorOf(table, row, field, 'not_found', t`The row of this manager has an error, so there is no such person.`);
}
