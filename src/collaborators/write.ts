/**
 * Every way a collaborator comes to be or changes, whoever asks: an operation, the accept page, the command line. Row,
 * history entry and event are written here together, so that no caller can forget one. Many at once: `write-many.ts`.
 */
import { sql, type Updateable } from 'kysely';
import type { Collaborators } from '../../generated/db.ts';
import type { Role } from '../access/member.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import { frequentWrite } from '../db/statement.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import { type FieldErrors, notFound, validationError } from '../errors.ts';
import type { EventName, EventPayload } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import { newId } from '../ids.ts';
import { countChange } from './counts.ts';
import { takenEmail } from './email.ts';
import { contactColumn } from './emergency-contact.ts';
import { keepManager, managerFaults } from './hierarchy.ts';
import { changesBetween, type HistoryEntry, recordHistory } from './history.ts';
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
    errors.manager_id = [managerFaults.unknown];
  }
  const columns = {
    ...columnsOf(fields),
    id: newId(),
    manager_id: errors.manager_id ? null : fields.manager_id,
    status: fields.status ?? 'pending',
    role: fields.role ?? 'employee',
  };
  const [row] = await insertPerson(tx, ...newColumns.map((name) => columns[name]));
  if (!row) errors.email = [takenEmail];
  if (!row || errors.manager_id) throw validationError(errors);

  await recordHistory(tx, creationEntry(actor, row));
  await emit(tx, 'collaborator.created', collaboratorEvent(row));
  countChange(tx, undefined, row);
  return row;
}

const newColumns = [
  'id',
  'name',
  'email',
  'position',
  'department',
  'phone',
  'hire_date',
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'emergency_contact',
  'status',
  'role',
  'user_id',
  'accepted_at',
] as const satisfies readonly (keyof Collaborators)[];

const insertPerson = frequentWrite((tx, ...values: unknown[]) =>
  tx
    .insertInto('collaborators', Object.fromEntries(newColumns.map((name, at) => [name, values[at]])) as never)
    .onConflict((conflict) => conflict.doNothing())
    .returning(collaboratorColumns),
);

/** The fields of a new collaborator as columns. */
export function columnsOf<F extends NewCollaborator>(fields: F) {
  const { emergency_contact } = fields;
  return { ...fields, emergency_contact: emergency_contact ? contactColumn(emergency_contact) : null };
}

/** What the history says about a new collaborator. */
export function creationEntry(actor: Actor, { id }: CollaboratorRow): HistoryEntry {
  return { collaborator_id: id, action: 'created', description: 'Collaborator created', user_id: actor.user_id };
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
  await recordHistory(tx, changeEntry(actor, before, after, change));
  await emit(tx, change.event, change.payload(after));
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
