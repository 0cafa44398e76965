/**
 * Collaborators as a table: the columns, their fields and their format. The import template, imports and exports of
 * lists use the same columns, so that an export can be imported without a mapping.
 */
import type { TemplateField } from '../../platform/sheets/template.ts';
import type { CellKind } from '../../platform/sheets/types.ts';

/** A column that people may fill in. Its key is the path of the field in the API. */
export const importColumns = [
  {
    key: 'name',
    label: 'Name',
    required: true,
    kind: 'text',
    hint: 'Full name, 2 to 200 characters.',
    example: 'Ada Example',
    width: 28,
  },
  {
    key: 'email',
    label: 'Email',
    required: true,
    kind: 'text',
    hint: 'A work email address that nobody else in the company has.',
    example: 'ada@company.example',
    width: 32,
  },
  {
    key: 'position',
    label: 'Position',
    required: true,
    kind: 'text',
    hint: 'Job title, 1 to 200 characters.',
    example: 'Route Planner',
    width: 24,
  },
  {
    key: 'department',
    label: 'Department',
    required: true,
    kind: 'text',
    hint: 'Department or team, 1 to 200 characters.',
    example: 'Field Operations',
    width: 24,
  },
  {
    key: 'phone',
    label: 'Phone',
    required: false,
    kind: 'text',
    hint: 'In whatever form you have it, up to 100 characters; kept as written.',
    example: '+55 11 91234-5678',
    width: 20,
  },
  {
    key: 'hire_date',
    label: 'Hire date',
    required: false,
    kind: 'date',
    hint: 'A date, as a date of the spreadsheet or written as 2026-03-02.',
    example: '2026-03-02',
    rule: { kind: 'date' },
    width: 12,
  },
  {
    key: 'salary',
    label: 'Salary',
    required: false,
    kind: 'money',
    hint: 'Annual salary, a number with at most two decimals.',
    example: 68_400,
    rule: { kind: 'number', minimum: 0, maximum: 999_999_999_999.99 },
    width: 14,
  },
  {
    key: 'manager_email',
    label: 'Manager email',
    required: false,
    kind: 'text',
    hint: 'The email address of someone in the company or in this file.',
    example: null,
    width: 32,
  },
  {
    key: 'manager_id',
    label: 'Manager ID',
    required: false,
    kind: 'text',
    hint: 'The id of someone in the company; left out where there is a manager email.',
    example: null,
    width: 38,
  },
  {
    key: 'work_schedule',
    label: 'Work schedule',
    required: false,
    kind: 'text',
    hint: 'Free text, for example full-time; up to 200 characters.',
    example: 'Full-time',
    width: 20,
  },
  {
    key: 'location',
    label: 'Location',
    required: false,
    kind: 'text',
    hint: 'Where the person works, up to 200 characters.',
    example: 'Campinas',
    width: 20,
  },
  {
    key: 'external_id',
    label: 'External ID',
    required: false,
    kind: 'text',
    hint: 'What the system that the person comes from calls them, up to 255 characters; nobody else has the same.',
    example: 'workday:20417',
    width: 20,
  },
  {
    key: 'employee_number',
    label: 'Employee number',
    required: false,
    kind: 'text',
    hint: 'The number that the company gave the person, up to 64 characters; nobody else has the same.',
    example: 'VL-0417',
    width: 18,
  },
  {
    key: 'termination_date',
    label: 'Termination date',
    required: false,
    kind: 'date',
    hint: 'The last day of employment, not before the first; the person is deactivated on the day after it.',
    example: null,
    rule: { kind: 'date' },
    width: 16,
  },
  {
    key: 'emergency_contact.name',
    label: 'Emergency contact name',
    required: false,
    kind: 'text',
    hint: 'Whom to call in an emergency.',
    example: 'Grace Example',
    width: 26,
  },
  {
    key: 'emergency_contact.phone',
    label: 'Emergency contact phone',
    required: false,
    kind: 'text',
    hint: 'Their phone number.',
    example: '+55 11 99876-5432',
    width: 24,
  },
  {
    key: 'emergency_contact.relationship',
    label: 'Emergency contact relationship',
    required: false,
    kind: 'text',
    hint: 'Who they are to the person, for example spouse.',
    example: 'Spouse',
    width: 30,
  },
] as const satisfies readonly (TemplateField & { key: string })[];

export type ImportField = (typeof importColumns)[number]['key'];

/** Columns that only exports have; an import leaves them out. */
export const readOnlyColumns = [
  { key: 'id', label: 'ID', kind: 'text' },
  { key: 'status', label: 'Status', kind: 'text' },
  { key: 'role', label: 'Role', kind: 'text' },
  { key: 'manager_name', label: 'Manager name', kind: 'text' },
  { key: 'avatar_url', label: 'Photo', kind: 'text' },
  { key: 'created_at', label: 'Created at', kind: 'datetime' },
  { key: 'updated_at', label: 'Updated at', kind: 'datetime' },
] as const satisfies readonly { key: string; label: string; kind: CellKind }[];

/** The example row of the template is known by its address: it is skipped whatever else stands in it. */
export const example_email = 'ada@company.example';
