/** What an update changes, and how history and events report it: the same for one collaborator and for many. */
import type { Updateable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Collaborators } from '../../../generated/db.ts';
import type { CollaboratorRow } from '../access/records.ts';
import type { Actor, Change } from './change-collaborator.ts';
import { collaboratorEvent } from './collaborator-view.ts';
import { contactColumn } from './emergency-contact.ts';
import { changesBetween } from './history.ts';

/** Without what answers show and no update sets: that was looked at, and is not written. */
export type CollaboratorUpdate = Omit<components['schemas']['CollaboratorUpdate'], ShownOnly>;

type ShownOnly = 'id' | 'role' | 'avatar_url' | 'created_at' | 'updated_at' | 'restricted_fields' | 'manager';

/** The fields of a profile. The status is none of them: it changes by rules of its own. */
export type ProfileUpdate = Omit<CollaboratorUpdate, 'status'>;

/**
 * What would change, as columns.
 * @param hidden fields that the caller may not see: one that is sent counts as changed, or the result would tell its value
 */
export function differences(
  row: CollaboratorRow,
  { emergency_contact: emergencyContact, salary, ...plain }: ProfileUpdate,
  hidden: readonly string[],
): Updateable<Collaborators> {
  const set: Updateable<Collaborators> = {};
  for (const [field, value] of Object.entries(plain)) {
    const counts = hidden.includes(field) || value !== row[field as keyof typeof plain];
    if (value !== undefined && counts) Object.assign(set, { [field]: value });
  }
  if (salary !== undefined) {
    const before = row.salary === null ? null : Number(row.salary);
    if (hidden.includes('salary') || salary !== before) set.salary = salary;
  }
  if (emergencyContact !== undefined) {
    const before = row.emergency_contact as Record<string, unknown> | null;
    const after = emergencyContact && { ...before, ...emergencyContact };
    const kept = after && Object.values(after).some((value) => value !== null) ? after : null;
    if (hidden.includes('emergency_contact') || !sameContact(before, kept))
      set.emergency_contact = kept && contactColumn(kept);
  }
  return set;
}

function sameContact(a: Record<string, unknown> | null, b: Record<string, unknown> | null): boolean {
  if (!a || !b) return a === b;
  return ['name', 'phone', 'relationship'].every((field) => (a[field] ?? null) === (b[field] ?? null));
}

/** @param set what `differences` found; not empty */
export function profileChange(
  actor: Actor,
  before: CollaboratorRow,
  set: Updateable<Collaborators>,
): Change<'collaborator.updated'> {
  const names = Object.keys(set);
  return {
    set,
    action: 'updated',
    description: `Changed ${names.join(', ')}`,
    sent: names,
    event: 'collaborator.updated',
    payload: (after) => ({
      ...collaboratorEvent(after),
      changed_fields: names,
      previous: publicBefore(before, after),
      changed_by: actor.user_id,
    }),
  };
}

/** What the changed fields were, as far as events may tell. */
function publicBefore(before: CollaboratorRow, after: CollaboratorRow) {
  const told = Object.keys(collaboratorEvent(after));
  const changes = changesBetween(before, after).filter(({ field }) => told.includes(field));
  return Object.fromEntries(changes.map(({ field, from }) => [field, from]));
}
