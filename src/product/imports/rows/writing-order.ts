/**
 * The order in which rows are written: managers before their reports, by the final hierarchy, so that there is no intermediate
 * cycle.
 *
 * A position in this order survives a crash. If existing people move, their levels are stored with the import; otherwise the
 * order depends on the file alone, not on the company's data or on rows with errors.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { managerInFile } from './find-managers.ts';
import { finalManagers, isMove, type TreeRow } from './manager-tree.ts';
import type { Firsts } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { managerOf } from './people/row-fields.ts';

const rowsAtOnce = 2_000;

/** @returns the indexes of all rows */
export async function writingOrder(
  tenant: Tenant,
  importId: string,
  table: PeopleTable,
  firsts: Firsts,
): Promise<number[]> {
  const stored = await tenant.selectFrom('imports').select('row_levels').where('id', '=', importId).executeTakeFirst();
  const levels = (stored?.row_levels as number[] | null | undefined) ?? (await levelsInFile(table, firsts));
  const rows: number[][] = [];
  for (const [index, level] of levels.entries()) {
    rows[level] ??= [];
    rows[level].push(index);
  }
  return rows.flat();
}

/**
 * The final depth of each row, counting managers outside of the file.
 * @param above the current managers, from `managersAbove`
 * @param first indexes of rows before all others, with everyone above them
 * @returns null if there are none and no existing person moves: the file then suffices
 */
export async function finalLevels(
  treeRows: readonly TreeRow[],
  above: ReadonlyMap<string, string>,
  first: ReadonlySet<number>,
): Promise<number[] | null> {
  if (first.size === 0 && !treeRows.some((treeRow) => !treeRow.failed && isMove(treeRow))) return null;
  const nodes = treeRows.map(({ node }) => node);
  const levels = await levelsOf(nodes, await finalManagers(treeRows, above));
  const depth = first.size > 0 ? levels.values().reduce((most, level) => Math.max(most, level)) + 1 : 0;
  return treeRows.map(({ node, index }) => levels.get(node)! + (first.has(index) ? 0 : depth));
}

async function levelsInFile(table: PeopleTable, firsts: Firsts): Promise<number[]> {
  const managers = await managersInFile(table, firsts);
  const levels = await levelsOf(managers.keys(), (index) => managers[index]);
  return managers.map((_, index) => levels.get(index)!);
}

async function managersInFile(table: PeopleTable, firsts: Firsts): Promise<(number | undefined)[]> {
  const managers: (number | undefined)[] = [];
  for (const [index, row] of table.rows.entries()) {
    if (index % rowsAtOnce === 0) await pause();
    managers.push(managerInFile(managerOf(table, row), firsts));
  }
  return managers;
}

/**
 * The batches of new people that contain a report of a person in the previous batch, and must wait for it.
 * @returns their start positions
 */
export async function dependentBatches(
  table: PeopleTable,
  { order, firsts }: { order: readonly number[]; firsts: Firsts },
  from: number,
  size: number,
): Promise<Set<number>> {
  const managers = await managersInFile(table, firsts);
  const positions = new Map(order.map((index, position) => [index, position]));
  const dependent = new Set<number>();
  for (let position = from + size; position < order.length; position += size) {
    const depends = order.slice(position, position + size).some((index) => {
      const manager = managers[index];
      const above = manager === undefined ? -1 : positions.get(manager)!;
      return above >= position - size && above < position;
    });
    if (depends) dependent.add(position);
  }
  return dependent;
}

/** The depth of each node. Rows in a cycle are rejected anyway. */
async function levelsOf<Node>(
  nodes: Iterable<Node>,
  managerOf: (node: Node) => Node | undefined,
): Promise<Map<Node, number>> {
  const levels = new Map<Node, number>();
  let steps = 0;
  for (const start of nodes) {
    const chain = new Set<Node>();
    let at: Node | undefined = start;
    for (; at !== undefined && !levels.has(at) && !chain.has(at); at = managerOf(at)) {
      if (steps++ % rowsAtOnce === 0) await pause();
      chain.add(at);
    }
    let level = at === undefined ? -1 : (levels.get(at) ?? -1);
    for (const node of [...chain].reverse()) levels.set(node, ++level);
  }
  return levels;
}
