/**
 * Every way a collaborator changes, whoever asks: an operation, the accept page, the command line. Row, history entry and
 * event are written here together, so that no caller can forget one. Adding one: `add-collaborator.ts`. Many at once: `write-many.ts`.
 */
import { sql, type Updateable } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import { prepared } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import type { EventName, EventPayload } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import { changeTime } from './change-time.ts';
import { type CountedTransaction, countChange } from './collaborator-counts.ts';
import { changesBetween, type HistoryEntry, recordHistory } from './history.ts';

/** Who is behind a change. `user_id` is null for the operator's command line. */
export interface Actor {
  user_id: string | null;
}

/** What changes, and how it is told. A change without a history entry and an event can't be expressed. */
export interface Change<N extends EventName> {
  set: Updateable<Collaborators>;
  /** For the history: one word, and a sentence for people. */
  action: string;
  description: string;
  event: N;
  payload(after: CollaboratorRow): EventPayload<N>;
}

/** Changes a row that this transaction has locked (`lockCollaborator`). */
export async function changeCollaborator<N extends EventName>(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  change: Change<N>,
): Promise<CollaboratorRow> {
  const after = await tx
    .updateTable('collaborators')
    .set({ ...change.set, revision: before.revision + 1, updated_at: changeTime })
    .where('id', '=', before.id)
    .returning(collaboratorColumns)
    .executeTakeFirstOrThrow();
  recordHistory(tx, changeEntry(actor, before, after, change));
  emit(tx, change.event, change.payload(after));
  countChange(tx, before, after);
  return after;
}

/** What the history says about a change. */
export function changeEntry(
  actor: Actor,
  before: CollaboratorRow,
  after: CollaboratorRow,
  { action, description }: Pick<Change<EventName>, 'action' | 'description'>,
): HistoryEntry {
  const changes = changesBetween(before, after);
  return { collaborator_id: after.id, action, description, changes, user_id: actor.user_id };
}

/**
 * Locks a row until the end of the transaction, so that what is decided from it still holds when it is written.
 * @param deleted whether a deleted one is found too
 * @throws 404 when it was deleted since
 */
export async function lockCollaborator(tx: TenantTransaction, id: string, deleted = false): Promise<CollaboratorRow> {
  const one = tx
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', id)
    .$if(!deleted, (query) => query.where('deleted_at', 'is', null))
    .forNoKeyUpdate();
  const { rows } = await prepared(one).execute(tx.raw);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/**
 * Locks many rows, in the order in which everyone locks many.
 * @param ids that are UUIDs
 * @returns those that exist and are not deleted, by id
 */
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
