/** Columns of an exported list, in the order of the file; a test compares them with the service's. */
import type { PlainColumn } from '../people/plain-columns.ts';

export const exportColumns = [
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
  'external_id',
  'employee_number',
  'termination_date',
  'emergency_contact',
  'status',
  'role',
  'avatar_url',
  'created_at',
  'updated_at',
] as const;

/** The exported field of a column in the list of people. A count isn't exported. */
export function exportedField(column: PlainColumn | `custom_fields.${string}`): string {
  return column === 'manager' ? 'manager_id' : column;
}
