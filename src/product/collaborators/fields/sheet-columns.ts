/**
 * Collaborators as a table: the columns, their fields and their format. The import template, imports and exports of
 * lists use the same columns, so that an export can be imported without a mapping.
 */
import type { Field } from '../../../platform/sheets/headers/headers.ts';
import type { SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import type { CellKind } from '../../../platform/sheets/model/types.ts';

type Column = Field & Pick<SheetColumn, 'kind' | 'rule' | 'width'>;

/** A column that people may fill in. Its key is the path of the field in the API. */
export const importColumns = [
  {
    key: 'name',
    required: true,
    kind: 'text',
    width: 28,
  },
  {
    key: 'email',
    required: true,
    kind: 'text',
    width: 32,
  },
  {
    key: 'position',
    required: true,
    kind: 'text',
    width: 24,
  },
  {
    key: 'department',
    required: true,
    kind: 'text',
    width: 24,
  },
  {
    key: 'phone',
    required: false,
    kind: 'text',
    width: 20,
  },
  {
    key: 'hire_date',
    required: false,
    kind: 'date',
    rule: { kind: 'date' },
    width: 12,
  },
  {
    key: 'salary',
    required: false,
    kind: 'money',
    rule: { kind: 'number', minimum: 0, maximum: 999_999_999_999.99 },
    width: 14,
  },
  {
    key: 'manager_email',
    required: false,
    kind: 'text',
    width: 32,
  },
  {
    key: 'manager_id',
    required: false,
    kind: 'text',
    width: 38,
  },
  {
    key: 'work_schedule',
    required: false,
    kind: 'text',
    width: 20,
  },
  {
    key: 'location',
    required: false,
    kind: 'text',
    width: 20,
  },
  {
    key: 'external_id',
    required: false,
    kind: 'text',
    width: 20,
  },
  {
    key: 'employee_number',
    required: false,
    kind: 'text',
    width: 18,
  },
  {
    key: 'termination_date',
    required: false,
    kind: 'date',
    rule: { kind: 'date' },
    width: 16,
  },
  {
    key: 'emergency_contact.name',
    required: false,
    kind: 'text',
    width: 26,
  },
  {
    key: 'emergency_contact.phone',
    required: false,
    kind: 'text',
    width: 24,
  },
  {
    key: 'emergency_contact.relationship',
    required: false,
    kind: 'text',
    width: 30,
  },
] as const satisfies readonly Column[];

export type ImportField = (typeof importColumns)[number]['key'];

/** Columns that only imports have: files of other systems say so what an export says with the others. */
export const importOnlyColumns = [
  { key: 'given_name' },
  { key: 'family_name' },
  { key: 'manager' },
  { key: 'manager_employee_number' },
  { key: 'status' },
] as const;

/** Columns that only exports have; an import leaves them out, but for the status and the name of the manager. */
export const readOnlyColumns = [
  { key: 'id', kind: 'text' },
  { key: 'status', kind: 'text' },
  { key: 'role', kind: 'text' },
  { key: 'manager_name', kind: 'text' },
  { key: 'avatar_url', kind: 'text' },
  { key: 'created_at', kind: 'datetime' },
  { key: 'updated_at', kind: 'datetime' },
] as const satisfies readonly { key: string; kind: CellKind }[];

/** The example row of the template is known by its address: it is skipped whatever else stands in it. */
export const exampleEmail = 'ada@company.example';
