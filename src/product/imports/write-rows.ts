/**
 * Writes a batch of checked rows: matches each to a person, adds or changes them, and reports
 * conflicts with concurrent changes.
 */
import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { isId } from '../access/records.ts';
import { companyDay, hasEnded } from '../collaborators/fields/employment-dates.ts';
import { lockHierarchy, lockManagers } from '../collaborators/fields/hierarchy.ts';
import { keyText, type MatchKey, matched } from '../collaborators/fields/match.ts';
import { takenErrors } from '../collaborators/fields/unique-fields.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { reasonOfEnd, statusReasons } from '../collaborators/status-reasons.ts';
import type { CountedTransaction } from '../collaborators/write/collaborator-counts.ts';
import { differences } from '../collaborators/write/differences.ts';
import { type Addition, type ProfileChange, type WriteResult, writeMany } from '../collaborators/write/write-many.ts';
import { lockedFields } from '../custom-fields/in-transaction.ts';
import { inviteAdded, type Postage } from '../invitations/send-invitation.ts';
import { updateOf } from './rows/check-rows.ts';
import { limitsOfImport, refuseLimited } from './rows/limited-rows.ts';
import { refuseManagedRows } from './rows/managed-rows.ts';
import { hierarchyError, treeRowOf } from './rows/manager-tree.ts';
import { matchRows } from './rows/match-rows.ts';
import type { Firsts, MatchedRow } from './rows/matched-row.ts';
import { addMovedValues, dependencyErrors, type MovedValues } from './rows/moved-rows.ts';
import { byColumn, type PeopleTable } from './rows/people/people-table.ts';
import { errorOf, keyOf } from './rows/people/row-fields.ts';
import { requireStarter } from './starter.ts';
import { hiddenFrom, type ImportRow } from './state/find-import.ts';
import type { RowError } from './state/row-errors.ts';

export interface WrittenRows {
  created: number;
  updated: number;
  unchanged: number;
  /** Rows with an error that occurred after validation. */
  failed: number;
  errors: RowError[];
}

/** Repeats the checks of the validation under locks, because of concurrent changes. */
export async function writeRows(
  tx: CountedTransaction,
  settings: ImportRow,
  table: PeopleTable,
  indexes: readonly number[],
  firsts: Firsts,
  postage: Postage,
): Promise<WrittenRows> {
  await requireStarter(tx, settings);
  // Custom fields may have changed since the file was read; their values are checked by the current ones.
  table.fields = table.fields.active.length > 0 ? await lockedFields(tx) : table.fields;
  const actor = { user_id: settings.committed_by ?? settings.created_by };
  const { mode, match_by: matchBy, empty_cells: emptyCells, unknown_managers: unknownManagers } = settings;
  if (mode === 'upsert') await lockTogether(tx);
  const checked = await matchRows(tx, table, indexes, {
    mode,
    match_by: matchBy,
    empty_cells: emptyCells,
    unknown_managers: unknownManagers,
    firsts,
    indexByPerson: new Map(),
    indexByCustomValue: new Map(),
    locks: true,
  });
  if (settings.committed_at !== null) await refuseChanged(tx, settings, table, checked);
  refuseLimited(table, checked, await limitsOfImport(tx, settings), settings);
  await refuseManagedRows(tx, table, checked, settings);
  await rejectDeletedManagers(tx, table, checked);
  await refuseDependent(tx, settings, table, checked);

  const ids = new Map(checked.filter(({ before }) => !before).map(({ index }) => [index, newId()]));
  const good = checked.filter(({ errors }) => errors.length === 0);
  const fresh = good.filter(({ before }) => !before);
  const today = fresh.some(({ input }) => input.fields.termination_date) ? await companyDay(tx) : undefined;
  const additions = fresh.map((each) => ({ ...additionOf(each, ids, today), import_id: settings.id }));
  const changes = good.flatMap((each) => changeOf(each, ids, hiddenFrom(settings)) ?? []);
  const written = await writeMany(tx, actor, { additions, changes });
  reportSkipped(table, checked, ids, written);
  if (settings.send_invitations) await inviteAdded(tx, actor, written.added, postage);

  const faulty = checked.filter(({ errors }) => errors.length > 0);
  return {
    created: written.added.length,
    updated: written.changed.length,
    unchanged: indexes.length - written.added.length - written.changed.length - faulty.length,
    failed: faulty.length,
    errors: faulty.flatMap(({ errors }) => errors).toSorted(byColumn),
  };
}

/** Before row locks, like all bulk changes, which prevents deadlocks. */
async function lockTogether(tx: TenantTransaction): Promise<void> {
  await lockHierarchy(tx);
  await lockAdmins(tx);
}

/** Locks everyone a file may change, by id: later batches of the transaction would lock more people while holding others. */
export async function lockEveryone(
  tx: TenantTransaction,
  settings: Pick<ImportRow, 'mode' | 'match_by'>,
  table: PeopleTable,
): Promise<void> {
  if (settings.mode !== 'upsert') return;
  await lockTogether(tx);
  const keys = table.rows.flatMap((row) => keyOf(table, row, settings) ?? []);
  const lookupKeys = keys.filter(({ field, value }) => field !== 'id' || isId(value));
  if (lookupKeys.length === 0) return;
  await matched(tx, lookupKeys).clearSelect().select('id').forNoKeyUpdate().execute();
}

/** A committed dry run is only valid for people who haven't changed since. */
async function refuseChanged(
  tx: TenantTransaction,
  { id, mode }: ImportRow,
  table: PeopleTable,
  checked: readonly MatchedRow[],
): Promise<void> {
  const values = checked.flatMap(({ key }) => key?.value ?? []);
  const matches = await tx
    .selectFrom('import_matches')
    .select(['field', 'value', 'collaborator_id', 'revision'])
    .where('import_id', '=', id)
    .where('value', '=', sql<string>`any(${values}::text[])`)
    .execute();
  const matchByKey = new Map(matches.map((match) => [keyText(match as MatchKey), match]));
  for (const { key, before, row, errors } of checked) {
    const match = key && matchByKey.get(keyText(key));
    if (match?.collaborator_id === (before?.id ?? null) && match?.revision === (before?.revision ?? null)) continue;
    if (mode === 'create') continue; // the address is taken, which is already reported
    errors.push(
      errorOf(table, row, key?.field ?? 'email', 'changed', t`This collaborator has changed since the dry run.`),
    );
  }
}

/** Locks managers against deletion until the end of the transaction. */
async function rejectDeletedManagers(tx: TenantTransaction, table: PeopleTable, checked: readonly MatchedRow[]) {
  const managed = checked.flatMap((each) => {
    return each.manager && 'id' in each.manager ? [{ ...each, manager_id: each.manager.id }] : [];
  });
  const lockedManagers = await lockManagers(tx, [...new Set(managed.map(({ manager_id: managerId }) => managerId))]);
  for (const { row, input, errors, manager_id: managerId } of managed) {
    if (lockedManagers.has(managerId)) continue;
    errors.push(errorOf(table, row, input.manager!.field, 'not_found', t`This manager was deleted in the meantime.`));
  }
}

/** Also resolves managers who take the address or number they are named by. */
async function refuseDependent(
  tx: TenantTransaction,
  settings: ImportRow,
  table: PeopleTable,
  checked: readonly MatchedRow[],
): Promise<void> {
  const moved: MovedValues = { claims: [], releasers: new Map() };
  const treeRows = checked.map((each) => {
    const treeRow = treeRowOf(each);
    addMovedValues(moved, table, each, treeRow, hiddenFrom(settings));
    return treeRow;
  });
  const byIndex = new Map(checked.map((each) => [each.index, each]));
  const { errors } = await dependencyErrors(tx, table, treeRows, moved);
  for (const [index, error] of errors) byIndex.get(index)!.errors.push(error);
  for (const each of checked) {
    const named = byIndex.get(each.manager?.index ?? -1);
    if (named?.errors.length === 0) each.manager = named.before ?? { index: named.index };
  }
}

function managerId({ manager }: MatchedRow, ids: ReadonlyMap<number, string>): string | null | undefined {
  if (!manager) return manager;
  return 'id' in manager ? manager.id : ids.get(manager.index)!;
}

function additionOf(checked: MatchedRow, ids: ReadonlyMap<number, string>, today: string | undefined): Addition {
  const fields = checked.input.fields as unknown as Omit<Addition, 'id' | 'manager_id'>;
  const endReason = hasEnded(fields, today) ? reasonOfEnd(fields.termination_date!) : undefined;
  const inactiveReason = endReason ?? (checked.input.has_left ? statusReasons.left_by_import : undefined);
  return {
    ...fields,
    id: ids.get(checked.index)!,
    manager_id: managerId(checked, ids),
    ...(inactiveReason !== undefined && { inactiveReason }),
  };
}

function changeOf(
  checked: MatchedRow,
  ids: ReadonlyMap<number, string>,
  hidden: readonly string[],
): ProfileChange | undefined {
  const { before, input } = checked;
  if (!before) return undefined;
  const set: Updateable<Collaborators> = differences(before, updateOf(input.fields, managerId(checked, ids)), hidden);
  return Object.keys(set).length > 0 ? { before, set } : undefined;
}

function reportSkipped(
  table: PeopleTable,
  checked: readonly MatchedRow[],
  ids: ReadonlyMap<number, string>,
  { left_out: skipped }: WriteResult,
): void {
  if (skipped.size === 0) return;
  for (const { index, row, before, errors } of checked) {
    const reason = skipped.get(before?.id ?? ids.get(index) ?? '');
    if (reason === 'manager') errors.push(hierarchyError(table, index, 'manager'));
    else if (reason) errors.push(errorOf(table, row, reason, 'taken', takenErrors[reason].message));
  }
}
