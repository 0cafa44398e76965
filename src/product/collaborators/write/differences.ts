/** The changes of an update, and their form in history and events, for single and bulk changes. */
import type { Updateable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Collaborators } from '../../../../generated/db.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { changedColumn, changedPaths } from '../../custom-fields/write-values.ts';
import { collaboratorEvent } from '../responses/collaborator-response.ts';
import type { Actor, Change } from './change-collaborator.ts';
import { changesBetween } from './history.ts';

/** Without read-only fields, which were checked and aren't written. */
export type CollaboratorUpdate = Omit<components['schemas']['CollaboratorUpdate'], ReadOnlyField>;

type ReadOnlyField =
  | 'id'
  | 'role'
  | 'avatar_url'
  | 'managed_by'
  | 'created_at'
  | 'updated_at'
  | 'restricted_fields'
  | 'manager'
  | 'reports_count';

/** The profile fields. The status isn't one: it has its own rules. */
export type ProfileUpdate = Omit<CollaboratorUpdate, 'status'>;

/**
 * Custom field values must be normalized and visible to the caller.
 * @param hidden fields hidden from the caller: if sent they count as changed, or the result would reveal their value
 */
export function differences(
  row: CollaboratorRow,
  { emergency_contact: emergencyContact, salary, custom_fields: values, ...plain }: ProfileUpdate,
  hidden: readonly string[],
): Updateable<Collaborators> {
  const set: Updateable<Collaborators> = {};
  for (const [field, value] of Object.entries(plain)) {
    const isChanged = hidden.includes(field) || value !== row[field as keyof typeof plain];
    if (value !== undefined && isChanged) Object.assign(set, { [field]: value });
  }
  if (salary !== undefined) {
    const before = row.salary === null ? null : Number(row.salary);
    if (hidden.includes('salary') || salary !== before) set.salary = salary;
  }
  if (emergencyContact !== undefined) {
    const before = row.emergency_contact as Record<string, unknown> | null;
    const after = emergencyContact && { ...before, ...emergencyContact };
    const newContact = after && Object.values(after).some((value) => value !== null) ? after : null;
    if (hidden.includes('emergency_contact') || !sameContact(before, newContact))
      set.emergency_contact = newContact && JSON.stringify(newContact);
  }
  const column = values && changedColumn(row.custom_fields, values);
  if (column !== undefined) set.custom_fields = column;
  return set;
}

function sameContact(a: Record<string, unknown> | null, b: Record<string, unknown> | null): boolean {
  if (!a || !b) return a === b;
  return ['name', 'phone', 'relationship'].every((field) => (a[field] ?? null) === (b[field] ?? null));
}

export function profileChange(
  actor: Actor,
  before: CollaboratorRow,
  set: Updateable<Collaborators>,
  fields: CompanyFields,
): Change<'collaborator.updated'> {
  const names = changedNames(before, set);
  return {
    set,
    action: 'updated',
    description: changeDescription(names),
    sent: names,
    event: 'collaborator.updated',
    payload: (after) => ({
      ...collaboratorEvent(after, fields),
      changed_fields: names,
      previous: publicBefore(before, after, fields),
      changed_by: actor.user_id,
    }),
  };
}

/** Names as in the contract. */
export function changedNames(
  before: CollaboratorRow,
  { custom_fields: column, ...set }: Updateable<Collaborators>,
): string[] {
  if (column === undefined) return Object.keys(set);
  const after = typeof column === 'string' ? JSON.parse(column) : column;
  return [...Object.keys(set), ...changedPaths(before.custom_fields, after)];
}

/** Maximum number of names in the sentence; the changes list all of them. */
const maxNamed = 20;

function changeDescription(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  return `Changed ${names.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function publicBefore(before: CollaboratorRow, after: CollaboratorRow, fields: CompanyFields) {
  const { custom_fields: values, ...publicFields } = collaboratorEvent(before, fields);
  const changes = changesBetween(before, after);
  const standardFields = changes
    .filter(({ field }) => Object.hasOwn(publicFields, field))
    .map(({ field, from }) => [field, from]);
  const customKeys = Object.keys(values).filter((key) => changes.some(({ field }) => field === `custom_fields.${key}`));
  const previous = Object.fromEntries(customKeys.map((key) => [key, values[key]]));
  return { ...Object.fromEntries(standardFields), ...(customKeys.length > 0 && { custom_fields: previous }) };
}
