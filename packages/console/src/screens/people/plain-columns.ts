/** Columns of the list of people beside the name, in their usual order. */
export const plainColumns = [
  'position',
  'department',
  'location',
  'status',
  'role',
  'manager',
  'reports_count',
  'email',
  'phone',
  'hire_date',
  'salary',
  'employee_number',
] as const;

export type PlainColumn = (typeof plainColumns)[number];
