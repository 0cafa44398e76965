/** The order in which rows are written, for random trees and files. */
import { finalManagers, hierarchyErrors, type TreeRow } from '../../../src/product/imports/rows/manager-tree.ts';
import type { PeopleTable } from '../../../src/product/imports/rows/people/people-table.ts';
import { dependentBatches, finalLevels } from '../../../src/product/imports/rows/writing-order.ts';
import fc from '../../helpers/property.ts';

const maxPeople = 12;
const maxRows = 16;

interface Company {
  /** Manager by person; omits people without one. */
  tree: Map<string, string>;
  /** Rows after each was validated on its own. */
  treeRows: TreeRow[];
}

const number = fc.nat(maxPeople + maxRows);

/** Existing people, each reporting to an earlier one, and rows about some of them and new people, some with errors. */
const company: fc.Arbitrary<Company> = fc
  .record({
    managers: fc.array(fc.option(number), { minLength: 1, maxLength: maxPeople }),
    rows: fc.uniqueArray(
      fc.record({
        about: fc.nat(maxPeople + 4),
        manager: fc.oneof(number, fc.constant(null), fc.constant(undefined)),
        failed: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
      }),
      { selector: ({ about }) => about, minLength: 1, maxLength: maxRows },
    ),
  })
  .map(({ managers, rows }) => {
    const tree = new Map<string, string>();
    for (const [at, manager] of managers.entries()) {
      if (manager !== null && at > 0) tree.set(`person ${at}`, `person ${manager % at}`);
    }
    const nodes = rows.map(({ about }, index) => (about < managers.length ? `person ${about}` : `row ${index}`));
    const everyone = [...managers.map((_, at) => `person ${at}`), ...nodes.filter((node) => node.startsWith('row '))];
    const treeRows = rows.map(({ manager, failed }, index): TreeRow => {
      const node = nodes[index]!;
      const others = everyone.filter((each) => each !== node);
      const named = typeof manager === 'number' ? (others[manager % others.length] ?? null) : manager;
      const before = tree.get(node) ?? null;
      return { index, node, isNew: node.startsWith('row '), manager: named, before, failed };
    });
    return { tree, treeRows };
  });

function isInCircle(tree: ReadonlyMap<string, string>, start: string): boolean {
  let at = tree.get(start);
  for (let steps = 0; at !== undefined && at !== start && steps <= tree.size; steps++) at = tree.get(at);
  return at !== undefined;
}

/** A row and those of everyone above, which may be written first. */
async function withAbove(treeRows: readonly TreeRow[], tree: ReadonlyMap<string, string>, start: number) {
  const managerOf = await finalManagers(treeRows, tree);
  const above = new Set<string>();
  let node: string | undefined = treeRows[start]!.node;
  for (; node && !above.has(node); node = managerOf(node)) above.add(node);
  return new Set(treeRows.filter((each) => above.has(each.node)).map(({ index }) => index));
}

test('writing row by row never puts people above themselves, and every manager exists', async () => {
  let moved = 0;
  const property = fc.asyncProperty(company, fc.nat(8 * maxRows), async ({ tree, treeRows }, start) => {
    await hierarchyErrors(treeRows, tree);
    const first = start < treeRows.length ? await withAbove(treeRows, tree, start) : new Set<number>();
    const levels = await finalLevels(treeRows, tree, first);
    if (levels && first.size === 0) moved++;
    const ordered = levels ? treeRows.toSorted((a, b) => levels[a.index]! - levels[b.index]!) : treeRows;
    const current = new Map(tree);
    const added = new Set<string>();
    for (const { node, manager, failed } of ordered) {
      if (failed) continue;
      added.add(node);
      // Without moves the file determines the order, where managers who are added are named by email.
      if (levels && manager?.startsWith('row ')) expect(added).toContain(manager);
      if (manager) current.set(node, manager);
      else if (manager === null) current.delete(node);
      expect(isInCircle(current, node)).toBe(false);
    }
  });
  await fc.assert(property, { numRuns: 2_000 });
  expect(moved).toBeGreaterThan(500);
});

test('detects which batches depend on the previous one', async () => {
  const order = [3, 2, 1, 0, 5, 4, 6];
  const email = new Map(order.map((index) => [`${index}@example.com`, index]));
  const firsts = { email, external_id: new Map(), employee_number: new Map(), name: new Map() };
  const leaning = async (managers: (number | null)[], from = 0) => {
    const rows = managers.map((manager, index) => ({
      row: index + 2,
      cells: [manager === null ? null : `${manager}@example.com`],
    }));
    const table = { rows, fieldColumns: new Map([['manager_email', 0]]) } as unknown as PeopleTable;
    return [...(await dependentBatches(table, { order, firsts }, from, 2))];
  };
  const none = null;
  expect(await leaning([none, none, none, none, none, none, none])).toEqual([]);
  expect(await leaning([3, none, none, none, none, none, none])).toEqual([2]); // 0 is in the second pair, 3 in the first
  expect(await leaning([none, none, 3, none, none, none, none])).toEqual([]); // both in the first
  expect(await leaning([none, none, none, none, 2, none, none])).toEqual([]); // two batches before
  expect(await leaning([none, none, none, none, none, 0, 4])).toEqual([4, 6]);
  expect(await leaning([none, none, none, none, none, 0, 4], 2)).toEqual([4, 6]);
  expect(await leaning([none, none, none, none, none, 0, 4], 4)).toEqual([6]);
});
