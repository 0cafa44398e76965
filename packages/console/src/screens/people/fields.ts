/** Fields of a person and who may write them; a test compares this with `x-write-access` of the contract. */
import type { CustomField } from '../../api/custom-fields.ts';
import type { DocumentType, Person } from '../../api/people.ts';

/** The reader's relation to the person. */
export type Relation = 'admin' | 'manager' | 'self' | 'manager-self' | 'none';

const writable = {
  name: ['admin'],
  email: ['admin'],
  position: ['admin', 'manager'],
  department: ['admin', 'manager'],
  location: ['admin', 'manager'],
  work_schedule: ['admin', 'manager'],
  manager_id: ['admin', 'manager'],
  phone: ['admin', 'manager', 'manager-self', 'self'],
  hire_date: ['admin'],
  termination_date: ['admin'],
  salary: ['admin'],
  employee_number: ['admin'],
  external_id: ['admin'],
  emergency_contact: ['admin', 'manager-self', 'self'],
} as const satisfies Partial<Record<keyof Person, readonly Relation[]>>;

export type FieldName = keyof typeof writable;

export const fieldNames = Object.keys(writable) as FieldName[];

export function mayWrite(field: FieldName, relation: Relation): boolean {
  return (writable[field] as readonly Relation[]).includes(relation);
}

export function mayWriteCustom({ write }: Pick<CustomField, 'write'>, relation: Relation): boolean {
  if (relation === 'none' || relation === 'admin') return relation === 'admin';
  return write === 'employee' || (write === 'manager' && relation === 'manager');
}

export const longest: Partial<Record<FieldName, number>> = {
  name: 200,
  email: 254,
  position: 200,
  department: 200,
  location: 200,
  work_schedule: 200,
  phone: 100,
  employee_number: 64,
  external_id: 255,
};

export const requiredFields: readonly FieldName[] = ['name', 'email', 'position', 'department'];

/** Document types; true if managers see those of their team. */
const types = {
  contract: false,
  identification: false,
  medical: false,
  tax: false,
  payslip: false,
  certificate: true,
  policy: true,
  other: true,
} as const satisfies Record<DocumentType, boolean>;

/** Document types the reader may see; a test compares them with `x-value-access` of the contract. */
export function documentTypes(relation: Relation): DocumentType[] {
  const all = Object.keys(types) as DocumentType[];
  return relation === 'manager' ? all.filter((type) => types[type]) : all;
}
