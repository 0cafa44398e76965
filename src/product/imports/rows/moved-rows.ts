/** Unique values that pass between the people of a file: a row can take what another row gives up, unless that row fails. */
import { t } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import {
  brokenClaims,
  type Claim,
  releasedKeys,
  takenErrorOf,
  uniqueValuesOf,
} from '../../collaborators/fields/moved-values.ts';
import { differences } from '../../collaborators/write/differences.ts';
import type { RowError } from '../state/row-errors.ts';
import {
  finalManagers,
  hierarchyError,
  hierarchyErrors,
  managersAbove,
  resolveNamedManagers,
  type TreeRow,
} from './manager-tree.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

interface RowClaim extends Claim {
  treeRow: TreeRow;
}

export interface MovedValues {
  claims: RowClaim[];
  /** The rows that give values up, by key, or would without an error of the new value. */
  releasers: Map<string, TreeRow>;
}

export function addMovedValues(
  { claims, releasers }: MovedValues,
  { fields }: PeopleTable,
  { before, input, taken, errors }: MatchedRow,
  treeRow: TreeRow,
  hidden: readonly string[],
): void {
  for (const value of taken) claims.push({ ...value, by: treeRow.node, treeRow });
  if (!before) return;
  const set = differences(before, input.fields, hidden);
  const invalid = uniqueValuesOf(fields, before).filter(({ path }) => errors.some(({ field }) => field === path));
  const offered = [...releasedKeys(fields, before, set), ...invalid.map(({ key }) => key)];
  for (const key of offered) releasers.set(key, treeRow);
}

type Errors = [index: number, RowError][];

/**
 * Settles which rows fail because of others: because of values that aren't given up, or of managers.
 * @returns their errors, and the current managers, from `managersAbove`
 */
export async function dependencyErrors(
  tenant: Tenant,
  table: PeopleTable,
  treeRows: readonly TreeRow[],
  moved: MovedValues,
): Promise<{ errors: Errors; above: ReadonlyMap<string, string> }> {
  const errors: Errors = [];
  resolveNamedManagers(treeRows);
  const above = await managersAbove(tenant, treeRows);
  // Each failure may leave values, and so managers, where they are.
  for (let count = -1; count !== errors.length; ) {
    errors.push(...refuseBroken(table, moved));
    resolveNamedManagers(treeRows);
    count = errors.length;
    errors.push(...refuseManagedMoves(treeRows));
    const rejected = await hierarchyErrors(treeRows, above);
    for (const [index, reason] of rejected) errors.push([index, hierarchyError(table, index, reason)]);
  }
  return { errors, above };
}

function refuseManagedMoves(treeRows: readonly TreeRow[]): Errors {
  return treeRows.flatMap((treeRow): Errors => {
    const { index, manager, before, managedManager } = treeRow;
    if (!managedManager || manager === undefined || manager === before) return [];
    treeRow.failed = true;
    delete treeRow.managedManager; // reported once
    return [[index, managedManager]];
  });
}

function refuseBroken(table: PeopleTable, moved: MovedValues): Errors {
  const found = brokenClaims(moved.claims, (key) => {
    const treeRow = moved.releasers.get(key);
    return treeRow?.failed ? undefined : treeRow?.node;
  });
  const broken = new Set(found);
  moved.claims = moved.claims.filter((claim) => !broken.has(claim));
  const [own, dependent] = [[] as RowClaim[], [] as RowClaim[]];
  for (const claim of found) (moved.releasers.has(claim.key) ? dependent : own).push(claim);
  const errors = own.map((claim) => refuse(table, claim));
  // A row with an error of its own may be the reason why the other row fails.
  const affected = dependent.filter(({ treeRow }) => !treeRow.failed);
  for (const claim of affected) {
    const { row } = table.rows[moved.releasers.get(claim.key)!.index]!;
    const message = t`Row ${row}, which gives this value up, has an error.`;
    errors.push(refuse(table, claim, { code: 'taken', message }));
  }
  return errors;
}

function refuse(
  table: PeopleTable,
  { treeRow, path }: RowClaim,
  { code, message } = takenErrorOf(path),
): Errors[number] {
  treeRow.failed = true;
  return [treeRow.index, errorOf(table, table.rows[treeRow.index]!, path, code, message)];
}

/**
 * Rows to write first and in one batch, because they exchange values, with everyone above them.
 * @returns also errors, if the batch is too small
 */
export async function rowsTogether(
  table: PeopleTable,
  treeRows: readonly TreeRow[],
  { claims, releasers }: MovedValues,
  above: ReadonlyMap<string, string>,
  rowsPerBatch: number,
): Promise<{ indexes: ReadonlySet<number>; errors: Errors }> {
  const valid = claims.filter(({ treeRow }) => !treeRow.failed);
  if (valid.length === 0) return { indexes: new Set(), errors: [] };
  const managerOf = await finalManagers(treeRows, above);
  const nodes = new Set<string>();
  for (const start of valid.flatMap(({ by, key }) => [by, releasers.get(key)!.node])) {
    for (let node: string | undefined = start; node && !nodes.has(node); node = managerOf(node)) nodes.add(node);
  }
  const indexes = new Set(treeRows.flatMap(({ node, index }) => (nodes.has(node) ? [index] : [])));
  if (indexes.size <= rowsPerBatch) return { indexes, errors: [] };
  const message = t`At most ${rowsPerBatch} rows can exchange values, together with the rows of their managers. Import fewer of them at once.`;
  const errors = valid.map((claim) => refuse(table, claim, { code: 'taken', message }));
  for (const [index, reason] of await hierarchyErrors(treeRows, above)) {
    errors.push([index, hierarchyError(table, index, reason)]);
  }
  return { indexes: new Set(), errors };
}
