/** Checks every row of a file before the first is written, and predicts its effect. Writes nothing. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { companyDay, hasEnded } from '../../collaborators/fields/employment-dates.ts';
import { keyText, type MatchKey } from '../../collaborators/fields/match.ts';
import { uniqueFields } from '../../collaborators/fields/unique-fields.ts';
import { differences, type ProfileUpdate } from '../../collaborators/write/differences.ts';
import { hiddenFrom, type ImportRow } from '../state/find-import.ts';
import type { RowError } from '../state/row-errors.ts';
import { personForm, severalIndex } from './find-managers.ts';
import { limitsOfImport, refuseLimited } from './limited-rows.ts';
import { refuseManagedRows } from './managed-rows.ts';
import { type TreeRow, treeRowOf } from './manager-tree.ts';
import { matchRows } from './match-rows.ts';
import type { Firsts, MatchedRow } from './matched-row.ts';
import { addMovedValues, dependencyErrors, type MovedValues, rowsTogether } from './moved-rows.ts';
import { byColumn, type PeopleTable } from './people/people-table.ts';
import { nameOf, uniqueOf } from './people/row-fields.ts';
import { finalLevels } from './writing-order.ts';

/** Rows between pauses that let this thread serve requests. */
const rowsAtOnce = 200;

/** The person of a row, or their manager, as they were when checked. */
export interface Match extends MatchKey {
  collaborator_id: string | null;
  revision: number | null;
}

export interface Checked {
  errors: RowError[];
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** Numbers of rows that add people who have left. */
  leavers: number[];
  /** Numbers of rows imported without their manager, who isn't found. */
  withoutManager: number[];
  matches: Map<string, Match>;
  /** Depth of each row in the hierarchy, if the writing order needs it. */
  levels: number[] | null;
}

export async function checkPeople(
  tenant: Tenant,
  table: PeopleTable,
  settings: Pick<
    ImportRow,
    'mode' | 'match_by' | 'empty_cells' | 'unknown_managers' | 'may_read_salary' | 'created_by' | 'committed_by'
  >,
  rowsPerBatch: number,
  progress: (rowsChecked: number) => Promise<void>,
): Promise<Checked> {
  const hidden = hiddenFrom(settings);
  const limits = await limitsOfImport(tenant, settings);
  const options = {
    ...settings,
    firsts: await firstsOf(table),
    indexByPerson: new Map(),
    indexByCustomValue: new Map(),
    locks: false,
  };
  const errors = new Map<number, RowError[]>();
  const treeRows: TreeRow[] = [];
  const moved: MovedValues = { claims: [], releasers: new Map() };
  const prospects: Prospect[] = [];
  const today = table.fieldColumns.has('termination_date') ? await companyDay(tenant) : undefined;
  for (let from = 0; from < table.rows.length; from += rowsAtOnce) {
    const indexes = indexesFrom(from, Math.min(from + rowsAtOnce, table.rows.length));
    const matched = await matchRows(tenant, table, indexes, options);
    refuseLimited(table, matched, limits, settings);
    await refuseManagedRows(tenant, table, matched, settings);
    for (const matchedRow of matched) {
      const treeRow = treeRowOf(matchedRow);
      treeRows.push(treeRow);
      addMovedValues(moved, table, matchedRow, treeRow, hidden);
      prospects.push(prospectOf(matchedRow, hidden, today));
      if (matchedRow.errors.length > 0) errors.set(matchedRow.index, matchedRow.errors);
    }
    await progress(treeRows.length);
  }
  const { above, errors: dependent } = await dependencyErrors(tenant, table, treeRows, moved);
  const together = await rowsTogether(table, treeRows, moved, above, rowsPerBatch);
  for (const [index, error] of [...dependent, ...together.errors]) {
    errors.set(index, [...(errors.get(index) ?? []), error]);
  }
  const levels = await finalLevels(treeRows, above, together.indexes);
  return { ...(await summarize(prospects, treeRows, errors)), levels };
}

/** Index of the first row with each normalized value of the unique fields. */
export async function firstsOf(table: PeopleTable): Promise<Firsts> {
  const name = new Map<string, number>();
  const firsts = { email: new Map(), external_id: new Map(), employee_number: new Map(), name };
  const fields = uniqueFields.filter((field) => table.fieldColumns.has(field));
  for (const [index, row] of table.rows.entries()) {
    if (index % rowsAtOnce === 0) await pause();
    for (const field of fields) {
      const value = uniqueOf(table, row, field);
      if (value !== undefined && !firsts[field].has(value)) firsts[field].set(value, index);
    }
    const person = table.fieldColumns.has('manager') ? nameOf(table, row) : undefined;
    if (person !== undefined) name.set(personForm(person), name.has(personForm(person)) ? severalIndex : index);
  }
  return firsts;
}

/** The effect of a row without its values, because a file has many rows. */
interface Prospect {
  exists: boolean;
  changesFields: boolean;
  leaver: number | undefined;
  withoutManager: number | undefined;
  matches: Match[];
}

function prospectOf(
  { row, key, before, input, manager, lacksManager }: MatchedRow,
  hidden: readonly string[],
  today: string | undefined,
): Prospect {
  const matches: Match[] = [];
  if (key) matches.push({ ...key, collaborator_id: before?.id ?? null, revision: before?.revision ?? null });
  if (manager && 'id' in manager) {
    const { id: collaboratorId, revision } = manager;
    matches.push({ field: 'email', value: manager.email.toLowerCase(), collaborator_id: collaboratorId, revision });
  }
  const changesFields = before !== undefined && Object.keys(differences(before, input.fields, hidden)).length > 0;
  const leaver = !before && (input.has_left || hasEnded(input.fields, today)) ? row.row : undefined;
  const withoutManager = lacksManager ? row.row : undefined;
  return { exists: before !== undefined, changesFields, leaver, withoutManager, matches };
}

function outcomeOf({ exists, changesFields }: Prospect, { manager, before }: TreeRow) {
  if (!exists) return 'created';
  return changesFields || (manager !== undefined && manager !== before) ? 'updated' : 'unchanged';
}

/** The update of an existing person. An address can only change in case. */
export function updateOf(fields: Record<string, unknown>, managerId: string | null | undefined): ProfileUpdate {
  return { ...fields, ...(managerId !== undefined && { manager_id: managerId }) };
}

async function summarize(
  prospects: readonly Prospect[],
  treeRows: readonly TreeRow[],
  faulty: Map<number, RowError[]>,
) {
  const sums = { created: 0, updated: 0, unchanged: 0, failed: faulty.size };
  const matches = new Map<string, Match>();
  const errors: RowError[] = [];
  const leavers: number[] = [];
  const withoutManager: number[] = [];
  for (const [index, prospect] of prospects.entries()) {
    if (index % rowsAtOnce === 0) await pause();
    const found = faulty.get(index);
    if (found) errors.push(...found.toSorted(byColumn));
    else {
      sums[outcomeOf(prospect, treeRows[index]!)]++;
      if (prospect.leaver !== undefined) leavers.push(prospect.leaver);
      if (prospect.withoutManager !== undefined) withoutManager.push(prospect.withoutManager);
      for (const match of prospect.matches) matches.set(keyText(match), match);
    }
  }
  return { errors, ...sums, leavers, withoutManager, matches };
}

function indexesFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
