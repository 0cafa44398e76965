/** Adding a collaborator, whoever asks: an operation, the command line. Many at once: `write-many.ts`. */
import type { Collaborators } from '../../../generated/db.ts';
import { validationError } from '../../contract/problem.ts';
import type { Role } from '../../identity/members/member.ts';
import { insertAtEnd } from '../../platform/db/insert-each.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { emit } from '../events/emit.ts';
import type { Actor } from './change-collaborator.ts';
import { countChange } from './collaborator-counts.ts';
import { collaboratorEvent } from './collaborator-view.ts';
import { isEmailTaken, isTaken, takenEmail } from './email.ts';
import { contactColumn } from './emergency-contact.ts';
import { keepManager, managerFaults } from './hierarchy.ts';
import { type HistoryEntry, recordHistory } from './history.ts';

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

/**
 * Writes at the end of the transaction, which is one statement when it does nothing else.
 * @returns the row as it will be
 * @throws 400 with every rule of the database that it breaks: `not_found` manager, `taken` email. When it is the email
 *   alone, by the end of the transaction
 */
export async function addCollaborator(
  tx: TenantTransaction,
  actor: Actor,
  fields: NewCollaborator,
): Promise<CollaboratorRow> {
  if (fields.manager_id && !(await keepManager(tx, fields.manager_id))) {
    const is_taken = await isEmailTaken(tx, fields.email);
    throw validationError({ manager_id: [managerFaults.unknown], ...(is_taken && { email: [takenEmail] }) });
  }
  const row = newRow(fields);
  tx.atEnd(insertPeople, [columnsOf(row)]);
  await recordHistory(tx, creationEntry(actor, row));
  await emit(tx, 'collaborator.created', collaboratorEvent(row));
  countChange(tx, undefined, row);
  return row;
}

/** What the database makes of it: so it needs not be asked before the event can be written. */
function newRow(fields: NewCollaborator): CollaboratorRow {
  const now = new Date().toISOString();
  return {
    id: newId(),
    name: fields.name.toWellFormed(),
    email: fields.email.toWellFormed(),
    phone: fields.phone?.toWellFormed() ?? null,
    position: fields.position.toWellFormed(),
    department: fields.department.toWellFormed(),
    status: fields.status ?? 'pending',
    role: fields.role ?? 'employee',
    hire_date: fields.hire_date ?? null,
    salary: fields.salary?.toFixed(2) ?? null,
    manager_id: fields.manager_id?.toLowerCase() ?? null,
    work_schedule: fields.work_schedule?.toWellFormed() ?? null,
    location: fields.location?.toWellFormed() ?? null,
    avatar_key: null,
    emergency_contact: fields.emergency_contact ? JSON.parse(contactColumn(fields.emergency_contact)) : null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    user_id: fields.user_id ?? null,
    status_since: now,
    status_reason: null,
    status_changed_by: null,
    accepted_at: fields.accepted_at ?? null,
    revision: 1,
  };
}

/** The columns of a profile, each with its type in Postgres. */
export const profileColumns = {
  name: 'text',
  email: 'text',
  phone: 'text',
  position: 'text',
  department: 'text',
  hire_date: 'date',
  salary: 'numeric',
  manager_id: 'uuid',
  work_schedule: 'text',
  location: 'text',
  emergency_contact: 'jsonb',
} as const satisfies { [C in keyof Collaborators]?: string };

const insertPeople = insertAtEnd(
  'collaborators',
  {
    id: 'uuid',
    ...profileColumns,
    status: 'text',
    role: 'text',
    user_id: 'uuid',
    accepted_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    status_since: 'timestamptz',
  },
  (error) => (isTaken(error) ? validationError({ email: [takenEmail] }) : undefined),
);

/** The fields of a new collaborator as columns. */
export function columnsOf<F extends { emergency_contact?: unknown }>(fields: F) {
  const { emergency_contact } = fields;
  return { ...fields, emergency_contact: emergency_contact ? contactColumn(emergency_contact) : null };
}

/** What the history says about a new collaborator. */
export function creationEntry(actor: Actor, { id }: CollaboratorRow): HistoryEntry {
  return { collaborator_id: id, action: 'created', description: 'Collaborator created', user_id: actor.user_id };
}
