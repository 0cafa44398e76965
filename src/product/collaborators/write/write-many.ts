/**
 * Adds and changes many collaborators, with the effects of single changes, in a constant number of statements. About a thousand
 * at a time.
 */
import { setImmediate as underWay } from 'node:timers/promises';
import { sql, type Updateable } from 'kysely';
import type { Collaborators } from '../../../../generated/db.ts';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import { type ColumnTypes, insertEach, type Row, unnested } from '../../../platform/db/insert-each.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import { fieldsIn, fieldsNow } from '../../custom-fields/in-transaction.ts';
import type { EventName, EventPayload } from '../../events/catalogue.ts';
import { emitEach } from '../../events/emit.ts';
import {
  lookupOf,
  normalizedValue,
  ownersOf,
  takenFieldNames,
  type UniqueField,
  uniqueFields,
  violatedField,
} from '../fields/unique-fields.ts';
import { cancelInvitations } from '../membership/invitations.ts';
import { collaboratorEvent } from '../responses/collaborator-response.ts';
import { columnsOf, creationEntry, type NewCollaborator, profileColumns } from './add-collaborator.ts';
import { type Actor, type Change, changeEntry } from './change-collaborator.ts';
import { changeTime } from './change-time.ts';
import { type CountedTransaction, countChange } from './collaborator-counts.ts';
import { requestAddressConfirmation } from './confirm-address.ts';
import { profileChange } from './differences.ts';
import { type HistoryEntry, recordEach } from './history.ts';
import { releaseValues } from './release-values.ts';

export type Addition = Omit<NewCollaborator, 'status' | 'role' | 'user_id' | 'accepted_at'> & {
  /** Chosen by the caller (UUID v7 in lower case), so that others in the batch can reference it as their manager. */
  id: string;
  /** Why they start inactive; otherwise they are pending. */
  inactiveReason?: string;
  import_id?: string;
};

export interface ProfileChange {
  before: CollaboratorRow;
  set: Updateable<Collaborators>;
}

interface Batch {
  additions: readonly Addition[];
  /** One per person. They may exchange addresses and ids, in any order, and give them to additions. */
  changes: readonly ProfileChange[];
}

/** A value was taken since it was checked: nothing may be committed, and everything is decided again. */
export class Overtaken extends Error {}

export interface WriteResult {
  added: CollaboratorRow[];
  changed: CollaboratorRow[];
  /** People who weren't written, with the reason: the taken field, or `manager` if their new manager wasn't written. */
  left_out: Map<string, UniqueField | 'manager'>;
}

/**
 * Managers must be among the additions or locked (`lockManagers`), without cycles. Bulk transactions call `lockHierarchy` and
 * `lockAdmins` before they lock rows by id, which prevents deadlocks.
 * @throws Overtaken
 */
export async function writeMany(tx: CountedTransaction, actor: Actor, batch: Batch): Promise<WriteResult> {
  const rejected: WriteResult['left_out'] = new Map();
  const released = await releaseValues(tx, batch.changes, batch.additions);
  const added = await addEach(tx, actor, batch.additions, rejected);
  const changes = batch.changes.filter(({ before, set }) => {
    const hasManager = !rejected.has(set.manager_id ?? '');
    if (!hasManager) rejected.set(before.id, 'manager');
    return hasManager;
  });
  const changed = await changeProfiles(tx, actor, changes, rejected);
  // Their values already belong to additions.
  if (released.some((id) => rejected.has(id))) throw new Overtaken('a value was taken since it was checked');
  return { added, changed, left_out: rejected };
}

async function addEach(
  tx: CountedTransaction,
  actor: Actor,
  additions: readonly Addition[],
  rejected: WriteResult['left_out'],
): Promise<CollaboratorRow[]> {
  const rows = await insertPeople(tx, additions, rejected);
  await recordAndEmit(
    tx,
    rows.map((row) => creationEntry(actor, row)),
    'collaborator.created',
    () => rows.map((row) => collaboratorEvent(row, fieldsIn(tx))),
  );
  for (const row of rows) countChange(tx, undefined, row);
  return rows;
}

const additionColumns = {
  id: 'uuid',
  ...profileColumns,
  status: 'text',
  status_reason: 'text',
  import_id: 'uuid',
} as const;

function additionRow(addition: Addition) {
  const { inactiveReason: statusReason, import_id: importId, ...fields } = addition;
  const status = statusReason ? 'inactive' : 'pending';
  return { ...columnsOf(fields), status, status_reason: statusReason, import_id: importId };
}

async function insertPeople(
  tx: TenantTransaction,
  additions: readonly Addition[],
  rejected: WriteResult['left_out'],
): Promise<CollaboratorRow[]> {
  if (additions.length === 0) return [];
  const insert = async () => {
    const { rows } = await sql<CollaboratorRow>`
      ${insertEach(tx, 'collaborators', additionColumns, additions.map(additionRow))}
      on conflict do nothing
      returning ${columns}`.execute(tx.raw);
    return rows;
  };
  const ids = new Set(additions.map(({ id }) => id));
  const isManaged = additions.some(({ manager_id: managerId }) => managerId && ids.has(managerId));
  try {
    const written = inRequestedOrder(additions, isManaged ? await tx.attempt(insert) : await insert());
    const found = new Set(written.map(({ id }) => id));
    const missing = additions.filter(({ id }) => !found.has(id));
    if (missing.length === 0) return written;
    const owners = await ownersOf(tx, lookupOf(missing));
    for (const each of missing) rejected.set(each.id, takenFieldNames(owners, each, each.id)[0] ?? 'email');
    return written;
  } catch (error) {
    // A manager wasn't written, because a value was just taken.
    if (!isBroken(error, 'collaborators_manager_fkey')) throw error;
    const owners = await ownersOf(tx, lookupOf(additions));
    const retryable = additions.filter((each) => {
      const { id, manager_id: managerId } = each;
      const [taken] = takenFieldNames(owners, each);
      if (taken) rejected.set(id, taken);
      else if (managerId && rejected.has(managerId)) rejected.set(id, 'manager');
      return !rejected.has(id);
    });
    if (retryable.length === additions.length) throw error;
    return insertPeople(tx, retryable, rejected);
  }
}

async function changeProfiles(
  tx: CountedTransaction,
  actor: Actor,
  changes: readonly ProfileChange[],
  rejected: WriteResult['left_out'],
): Promise<CollaboratorRow[]> {
  const movers = changes.filter(({ set }) => set.email !== undefined);
  const write = async () => {
    await releaseValues(
      tx,
      changes,
      changes.map(({ set }) => set),
    );
    const fields = await fieldsNow(tx);
    return changeEach(
      tx,
      actor,
      'collaborator.updated',
      profileColumns,
      changes.map(({ before, set }) => ({ before, change: profileChange(actor, before, set, fields) })),
    );
  };
  if (!changes.some(({ set }) => uniqueFields.some((field) => set[field] !== undefined))) return write();
  try {
    const changed = await tx.attempt(write);
    // Links mailed to old addresses must not admit their readers.
    await cancelInvitations(
      tx,
      movers.map(({ before }) => before.id),
    );
    await requestAddressConfirmation(
      tx,
      movers.map(({ before }) => before),
    );
    return changed;
  } catch (error) {
    if (!violatedField(error)) throw error;
    const remaining = await withoutConflicts(tx, changes, rejected);
    if (remaining.length === changes.length) throw error;
    return changeProfiles(tx, actor, remaining, rejected);
  }
}

/** Removes changes with values in use by people who keep them. */
async function withoutConflicts(
  tx: TenantTransaction,
  changes: readonly ProfileChange[],
  rejected: WriteResult['left_out'],
): Promise<ProfileChange[]> {
  const owners = await ownersOf(tx, lookupOf(changes.map(({ set }) => set)));
  let remaining = [...changes];
  for (let count = -1; count !== remaining.length; ) {
    count = remaining.length;
    const moving = new Map(remaining.map(({ before, set }) => [before.id, set]));
    remaining = remaining.filter(({ before, set }) => {
      const taken = takenFieldNames(owners, set, before.id).find((field) => {
        const holder = moving.get(owners[field].get(normalizedValue(set, field)!)!);
        return holder?.[field] === undefined;
      });
      if (taken) rejected.set(before.id, taken);
      return !taken;
    });
  }
  return remaining;
}

/** Changes rows locked by this transaction, like `changeCollaborator`. @param types of all columns that changes may set */
export async function changeEach<N extends EventName>(
  tx: CountedTransaction,
  actor: Actor,
  event: N,
  types: ColumnTypes & { [C in keyof Collaborators]?: string },
  changes: readonly { before: CollaboratorRow; change: Change<N> }[],
): Promise<CollaboratorRow[]> {
  if (changes.length === 0) return [];
  const values = changes.map(({ before, change }) => ({ ...columnsBefore(before), ...change.set }));
  const assignments = Object.keys(types).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  const { rows } = await sql<CollaboratorRow>`
    update collaborators
    set ${sql.join(assignments)}, revision = collaborators.revision + 1, updated_at = ${changeTime}
    from ${unnested({ id: 'uuid', ...types }, values as Row<typeof types>[])}
    where collaborators.company_id = ${tx.company_id}::uuid and collaborators.id = given.id
    returning ${columns}`.execute(tx.raw);
  if (rows.length !== changes.length) throw new Error('a row that is changed was not locked');
  const after = inRequestedOrder(
    changes.map(({ before }) => before),
    rows,
  );
  await recordAndEmit(
    tx,
    changes.map(({ before, change }, at) => changeEntry(actor, before, after[at]!, change)),
    event,
    () => changes.map(({ change }, at) => change.payload(after[at]!)),
  );
  for (const [at, { before }] of changes.entries()) countChange(tx, before, after[at]!);
  return after;
}

/** Writes history and events. Builds the events while Postgres writes the history, which takes about as long. */
async function recordAndEmit<N extends EventName>(
  tx: TenantTransaction,
  entries: readonly HistoryEntry[],
  event: N,
  payloads: () => EventPayload<N>[],
): Promise<void> {
  recordEach(tx, entries);
  await underWay();
  emitEach(tx, event, payloads());
}

function columnsBefore(row: CollaboratorRow) {
  const { emergency_contact: emergencyContact, custom_fields: values } = row;
  return {
    ...row,
    emergency_contact: emergencyContact && JSON.stringify(emergencyContact),
    custom_fields: values && JSON.stringify(values),
  };
}

const columns = sql.join(collaboratorColumns.map((name) => sql.ref(`collaborators.${name}`)));

/** Statements return rows in any order. */
function inRequestedOrder(requested: readonly { id: string }[], rows: readonly CollaboratorRow[]): CollaboratorRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requested.flatMap(({ id }) => byId.get(id) ?? []);
}
