/** Adds a collaborator, for operations and the command line. For many at once see `write-many.ts`. */
import type { Collaborators } from '../../../../generated/db.ts';
import { type FieldErrors, validationError } from '../../../contract/problem.ts';
import type { Role } from '../../../identity/members/member.ts';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import { type Row, rowInsert } from '../../../platform/db/insert-each.ts';
import { newId } from '../../../platform/values/ids.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import { fieldsIn, fieldsNow } from '../../custom-fields/in-transaction.ts';
import { takenValues, uniqueForms, type Values, valueHolders } from '../../custom-fields/unique-values.ts';
import { valuesColumn } from '../../custom-fields/write-values.ts';
import { emit } from '../../events/emit.ts';
import { dateErrors } from '../fields/employment-dates.ts';
import { lockManager, managerErrors } from '../fields/hierarchy.ts';
import { takenErrors, takenFields, violatedField } from '../fields/unique-fields.ts';
import { collaboratorEvent } from '../responses/collaborator-response.ts';
import type { Actor } from './change-collaborator.ts';
import { type CountedTransaction, countChange } from './collaborator-counts.ts';
import { type HistoryEntry, recordHistory } from './history.ts';

export interface NewCollaborator {
  name: string;
  email: string;
  position: string;
  department: string;
  phone?: string | null | undefined;
  hire_date?: string | null | undefined;
  termination_date?: string | null | undefined;
  salary?: number | null | undefined;
  manager_id?: string | null | undefined;
  work_schedule?: string | null | undefined;
  location?: string | null | undefined;
  external_id?: string | null | undefined;
  employee_number?: string | null | undefined;
  emergency_contact?: object | null | undefined;
  /** Normalized. */
  custom_fields?: Values | undefined;
  /** `pending`, unless the person can already sign in. */
  status?: 'pending' | 'active';
  role?: Role;
  user_id?: string;
  /** When they could first sign in; unset for people still to be invited. */
  accepted_at?: string;
}

/** @throws 400 with every violated database rule: `not_found` manager, `taken` email or id, dates */
export async function addCollaborator(
  tx: CountedTransaction,
  actor: Actor,
  fields: NewCollaborator,
  knownErrors: FieldErrors = {},
): Promise<CollaboratorRow> {
  const errors = { ...dateErrors(undefined, fields), ...knownErrors };
  if (fields.manager_id && !(await lockManager(tx, fields.manager_id))) errors.manager_id = [managerErrors.unknown];
  // A unique violation reports only one value, so check beforehand if several could fail; a single one is left to the database.
  if (Object.keys(errors).length > 0 || fields.external_id || fields.employee_number) {
    Object.assign(errors, await takenFields(tx, fields));
  }
  if (fields.custom_fields) {
    const forms = uniqueForms(await fieldsNow(tx), fields.custom_fields);
    Object.assign(errors, takenValues(await valueHolders(tx, forms), forms));
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const row = await insertPerson(tx, personColumns(fields)).catch((error) => {
    // The user may already belong to the company under another address.
    const field = violatedField(error) ?? (isBroken(error, 'collaborators_user_key') ? 'email' : undefined);
    throw field ? validationError({ [field]: [takenErrors[field]] }) : error;
  });
  recordHistory(tx, creationEntry(actor, row));
  emit(tx, 'collaborator.created', collaboratorEvent(row, fieldsIn(tx)));
  countChange(tx, undefined, row);
  return row;
}

export const profileColumns = {
  name: 'text',
  email: 'text',
  phone: 'text',
  position: 'text',
  department: 'text',
  hire_date: 'date',
  termination_date: 'date',
  salary: 'numeric',
  manager_id: 'uuid',
  work_schedule: 'text',
  location: 'text',
  external_id: 'text',
  employee_number: 'text',
  emergency_contact: 'jsonb',
  custom_fields: 'jsonb',
} as const satisfies { [C in keyof Collaborators]?: string };

const insertPerson = rowInsert<string, CollaboratorRow>('collaborators', collaboratorColumns);

/** All profile columns, so that the column set doesn't depend on the client, plus the given others. */
function personColumns(fields: NewCollaborator) {
  const { status, role, user_id: userId, accepted_at: acceptedAt } = fields;
  const columns: Row<typeof profileColumns> = columnsOf(fields);
  const profile = Object.keys(profileColumns).map((name) => [name, columns[name as 'name'] ?? null]);
  return { id: newId(), ...Object.fromEntries(profile), status, role, user_id: userId, accepted_at: acceptedAt };
}

export function columnsOf<F extends { emergency_contact?: unknown; custom_fields?: Values | undefined }>(fields: F) {
  const { emergency_contact: emergencyContact, custom_fields: values } = fields;
  const isKnown = emergencyContact && Object.values(emergencyContact).some((value) => value !== null);
  return {
    ...fields,
    emergency_contact: isKnown ? JSON.stringify(emergencyContact) : null,
    custom_fields: valuesColumn(values),
  };
}

export function creationEntry(actor: Actor, { id }: CollaboratorRow): HistoryEntry {
  return { collaborator_id: id, action: 'created', description: 'Collaborator created', user_id: actor.user_id };
}
