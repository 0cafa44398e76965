/**
 * Every change of a collaborator, by any caller. Row, history entry, and event are written together, so that no caller can omit
 * one. See also `add-collaborator.ts` and `write-many.ts`.
 */
import { sql, type Updateable } from 'kysely';
import type { Collaborators } from '../../../../generated/db.ts';
import { notFound } from '../../../contract/problem.ts';
import { cachedQuery } from '../../../platform/db/query-cache.ts';
import { preparedQuery } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import type { EventName, EventPayload } from '../../events/catalogue.ts';
import { emit } from '../../events/emit.ts';
import { changeTime } from './change-time.ts';
import { type CountedTransaction, countChange } from './collaborator-counts.ts';
import { changesBetween, type HistoryEntry, recordHistory } from './history.ts';

/** The author of a change. `user_id` is null for the operator's command line. */
export interface Actor {
  user_id: string | null;
}

/** A change with its history entry and event; the type requires both. */
export interface Change<N extends EventName> {
  set: Updateable<Collaborators>;
  action: string;
  description: string;
  /** Fields that count as changed regardless of their old value. */
  sent?: readonly string[];
  event: N;
  payload(after: CollaboratorRow): EventPayload<N>;
}

/** Changes a row locked by this transaction (`lockCollaborator`). */
export async function changeCollaborator<N extends EventName>(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  change: Change<N>,
): Promise<CollaboratorRow> {
  const [after] = await updateOne(tx, emptyShape, { ...change.set, rowId: before.id, revision: before.revision + 1 });
  if (!after) throw new Error('a row that is changed was not locked');
  recordHistory(tx, changeEntry(actor, before, after, change));
  emit(tx, change.event, change.payload(after));
  countChange(tx, before, after);
  return after;
}

const emptyShape = {};

/** Cached per set of columns: most changes set one or two. */
const updateOne = cachedQuery((tx: TenantTransaction, _: object, { rowId, ...set }: Columns & { rowId: string }) =>
  tx
    .updateTable('collaborators')
    .set({ ...set, updated_at: changeTime })
    .where('id', '=', rowId)
    .returning(collaboratorColumns),
);

type Columns = Updateable<Collaborators>;

export function changeEntry(
  actor: Actor,
  before: CollaboratorRow,
  after: CollaboratorRow,
  { action, description, sent }: Pick<Change<EventName>, 'action' | 'description' | 'sent'>,
): HistoryEntry {
  const changes = changesBetween(before, after, sent);
  return { collaborator_id: after.id, action, description, changes, user_id: actor.user_id };
}

/** Locks a row, so that decisions based on it stay valid. @throws 404 if it was deleted meanwhile */
export async function lockCollaborator(tx: TenantTransaction, id: string, deleted = false): Promise<CollaboratorRow> {
  const [row] = await (deleted ? lockAny : lockPresent)(tx, id);
  if (!row) throw notFound();
  return row;
}

const lockAny = preparedQuery((tx, id: string) => {
  return tx.selectFrom('collaborators').select(collaboratorColumns).where('id', '=', id).forNoKeyUpdate();
});
const lockPresent = preparedQuery((tx, id: string) =>
  tx
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
);

/** Locks many rows, in the order that all callers use. @returns the rows that exist and aren't deleted, by id */
export async function lockCollaborators(
  tx: TenantTransaction,
  ids: readonly string[],
): Promise<Map<string, CollaboratorRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
