/**
 * Every way a collaborator comes to be or changes, whoever asks: an operation, an import, the accept page, the command
 * line. Row, history entry and event are written here together, so that no caller can forget one.
 */
import { sql, type Updateable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Collaborators } from '../../generated/db.ts';
import type { Role } from '../access/member.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { type FieldErrors, notFound, validationError } from '../errors.ts';
import type { EventName, EventPayload } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import { countChange } from './counts.ts';
import { takenEmail } from './email.ts';
import { keepManager } from './hierarchy.ts';
import { changesBetween, recordHistory } from './history.ts';
import { collaboratorEvent } from './view.ts';

/** Who is behind a change. `user_id` is null for the operator's command line. */
export interface Actor {
  user_id: string | null;
}

export interface NewCollaborator {
  name: string;
  email: string;
  position: string;
  department: string;
  phone?: string | null | undefined;
  hire_date?: string | null | undefined;
  salary?: number | null | undefined;
  manager_id?: string | null | undefined;
  work_schedule?: string | null | undefined;
  location?: string | null | undefined;
  emergency_contact?: object | null | undefined;
  /** `pending`, unless someone who can already sign in is added. */
  status?: 'pending' | 'active';
  role?: Role;
  user_id?: string;
  /** When they first could sign in; unset for who is to be invited. */
  accepted_at?: string;
}

/** @throws 400 with every rule of the database that the new row would break: `taken` email, `not_found` manager */
export async function addCollaborator(
  tx: TenantTransaction,
  actor: Actor,
  fields: NewCollaborator,
): Promise<CollaboratorRow> {
  const errors: FieldErrors = {};
  if (fields.manager_id && !(await keepManager(tx, fields.manager_id))) {
    errors.manager_id = [{ code: 'not_found', message: 'There is no such collaborator in this company.' }];
  }
  const row = await tx
    .insertInto('collaborators', {
      ...fields,
      id: uuidv7(),
      manager_id: errors.manager_id ? null : fields.manager_id,
      emergency_contact: fields.emergency_contact ? JSON.stringify(fields.emergency_contact) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(collaboratorColumns)
    .executeTakeFirst();
  if (!row) errors.email = [takenEmail];
  if (!row || errors.manager_id) throw validationError(errors);

  await recordHistory(tx, {
    collaborator_id: row.id,
    action: 'created',
    description: 'Collaborator created',
    user_id: actor.user_id,
  });
  await emit(tx, 'collaborator.created', collaboratorEvent(row));
  countChange(tx, undefined, row);
  return row;
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
  tx: TenantTransaction,
  actor: Actor,
  before: CollaboratorRow,
  change: Change<N>,
): Promise<CollaboratorRow> {
  const after = await tx
    .updateTable('collaborators')
    .set({ ...change.set, revision: before.revision + 1, updated_at: sql`clock_timestamp()` })
    .where('id', '=', before.id)
    .returning(collaboratorColumns)
    .executeTakeFirstOrThrow();
  await recordHistory(tx, {
    collaborator_id: after.id,
    action: change.action,
    description: change.description,
    changes: changesBetween(before, after),
    user_id: actor.user_id,
  });
  await emit(tx, change.event, change.payload(after));
  countChange(tx, before, after);
  return after;
}

/**
 * Locks a row until the end of the transaction, so that what is decided from it still holds when it is written.
 * @param deleted whether a deleted one is found too
 * @throws 404 when it was deleted since
 */
export async function lockCollaborator(tx: TenantTransaction, id: string, deleted = false): Promise<CollaboratorRow> {
  const row = await tx
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', id)
    .$if(!deleted, (query) => query.where('deleted_at', 'is', null))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
