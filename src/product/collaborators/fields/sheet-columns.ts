/** The columns shared by import templates, imports, and list exports, so that an export can be imported without a mapping. */
import type { Field } from '../../../platform/sheets/headers/headers.ts';
import type { SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import type { CellKind } from '../../../platform/sheets/model/types.ts';

type Column = Field & Pick<SheetColumn, 'kind' | 'rule' | 'width'>;

/** A column that people may fill in. Its key is the field's path in the API. */
export const importColumns = [
  { key: 'name', required: true, kind: 'text', width: 28 },
  { key: 'email', required: true, kind: 'text', width: 32 },
  { key: 'position', required: true, kind: 'text', width: 24 },
  { key: 'department', required: true, kind: 'text', width: 24 },
  { key: 'phone', required: false, kind: 'text', width: 20 },
  { key: 'hire_date', required: false, kind: 'date', rule: { kind: 'date' }, width: 12 },
  {
    key: 'salary',
    required: false,
    kind: 'money',
    rule: { kind: 'number', minimum: 0, maximum: 999_999_999_999.99 },
    width: 14,
  },
  { key: 'manager_email', required: false, kind: 'text', width: 32 },
  { key: 'manager_id', required: false, kind: 'text', width: 38 },
  { key: 'work_schedule', required: false, kind: 'text', width: 20 },
  { key: 'location', required: false, kind: 'text', width: 20 },
  { key: 'external_id', required: false, kind: 'text', width: 20 },
  { key: 'employee_number', required: false, kind: 'text', width: 18 },
  { key: 'termination_date', required: false, kind: 'date', rule: { kind: 'date' }, width: 16 },
  { key: 'emergency_contact.name', required: false, kind: 'text', width: 26 },
  { key: 'emergency_contact.phone', required: false, kind: 'text', width: 24 },
  { key: 'emergency_contact.relationship', required: false, kind: 'text', width: 30 },
] as const satisfies readonly Column[];

export type ImportField = (typeof importColumns)[number]['key'];

/** Import-only columns, by which files of other systems express what exports have in other columns. */
export const importOnlyColumns = [
  { key: 'given_name' },
  { key: 'family_name' },
  { key: 'manager' },
  { key: 'manager_employee_number' },
  { key: 'status' },
] as const;

/** Export-only columns; imports ignore them, except status and manager name. */
export const readOnlyColumns = [
  { key: 'id', kind: 'text' },
  { key: 'status', kind: 'text' },
  { key: 'role', kind: 'text' },
  { key: 'manager_name', kind: 'text' },
  { key: 'avatar_url', kind: 'text' },
  { key: 'created_at', kind: 'datetime' },
  { key: 'updated_at', kind: 'datetime' },
] as const satisfies readonly { key: string; kind: CellKind }[];

/** Identifies the template's example row, which is skipped whatever else it contains. */
export const exampleEmail = 'ada@company.example';
