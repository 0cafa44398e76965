/** The history of a collaborator: append-only, written in the transaction of the change it tells about. */
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import type { CollaboratorRow } from '../access/records.ts';
import type { TenantTransaction } from '../db/tenant.ts';

export interface HistoryEntry {
  collaborator_id: string;
  /** What happened, in one word, for example `created`. */
  action: string;
  /** What happened, for people. */
  description: string;
  changes?: FieldChange[];
  /** Who did it: the user the token speaks for; null for the operator's command line. */
  user_id: string | null;
}

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

export async function recordHistory(tx: TenantTransaction, entry: HistoryEntry): Promise<void> {
  const changes = JSON.stringify(entry.changes ?? []);
  await tx.insertInto('collaborator_history', { id: uuidv7(), ...entry, changes }).execute();
}

/** The fields a reader of the API would see change. */
export function changesBetween(before: CollaboratorRow, after: CollaboratorRow): FieldChange[] {
  return visibleFields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

const visibleFields = [
  'name',
  'email',
  'phone',
  'position',
  'department',
  'status',
  'role',
  'hire_date',
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'emergency_contact',
] as const satisfies (keyof CollaboratorRow)[];
