/**
 * The order in which the rows of a file are written: managers before who reports to them. It follows from the file alone,
 * whatever the company has and whichever rows have faults, so that a position in it means the same after a crash.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { emailOf } from './fields.ts';
import type { PeopleTable } from './table.ts';

const rows_at_once = 2_000;

/**
 * @param firsts the index of the first row with each address
 * @returns the indexes of all rows
 */
export async function writingOrder(table: PeopleTable, firsts: ReadonlyMap<string, number>): Promise<number[]> {
  const managers: (number | undefined)[] = [];
  for (const [index, row] of table.rows.entries()) {
    if (index % rows_at_once === 0) await pause();
    const email = emailOf(table, row, 'manager_email');
    managers.push(email === undefined ? undefined : firsts.get(email));
  }
  const levels: number[][] = [];
  const depths = await depthsOf(managers);
  for (const [index, depth] of depths.entries()) {
    levels[depth] ??= [];
    levels[depth].push(index);
  }
  return levels.flat();
}

/** How many managers stand above each row inside the file. Rows in a circle are refused anyway, wherever they stand. */
async function depthsOf(managers: readonly (number | undefined)[]): Promise<number[]> {
  const depths: number[] = new Array(managers.length).fill(-1);
  for (let start = 0; start < managers.length; start++) {
    if (start % rows_at_once === 0) await pause();
    const chain: number[] = [];
    const met = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && depths[at] === -1 && !met.has(at)) {
      met.add(at);
      chain.push(at);
      at = managers[at];
    }
    let depth = at === undefined || met.has(at) ? -1 : depths[at]!;
    for (const index of chain.reverse()) depths[index] = ++depth;
  }
  return depths;
}
