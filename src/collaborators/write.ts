/**
 * Every way a collaborator comes to be or changes, whoever asks: an operation, an import, the accept page, the command
 * line. Row, history entry and event are written here together, so that no caller can forget one.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Role } from '../access/member.ts';
import { type CollaboratorRow, collaboratorColumns, isId } from '../access/records.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { type FieldErrors, validationError } from '../errors.ts';
import { emit } from '../events/emit.ts';
import { recordHistory } from './history.ts';
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
}

/** @throws 400 with every rule of the database that the new row would break: `taken` email, `not_found` manager */
export async function addCollaborator(
  tx: TenantTransaction,
  actor: Actor,
  fields: NewCollaborator,
): Promise<CollaboratorRow> {
  const errors: FieldErrors = {};
  if (fields.manager_id && !(await lockManager(tx, fields.manager_id))) {
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
  if (!row) errors.email = [{ code: 'taken', message: 'Another collaborator already uses this address.' }];
  if (!row || errors.manager_id) throw validationError(errors);

  await recordHistory(tx, {
    collaborator_id: row.id,
    action: 'created',
    description: 'Collaborator created',
    user_id: actor.user_id,
  });
  await emit(tx, 'collaborator.created', collaboratorEvent(row));
  return row;
}

/** Keeps the manager from being deleted until the new row points to them. */
async function lockManager(tx: TenantTransaction, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const manager = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return manager !== undefined;
}
