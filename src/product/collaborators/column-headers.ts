/** Column headers of templates and exports, in the reader's language. Imports recognize them in all languages. */
import { type Text, t } from '../../contract/languages/text.ts';
import type { ImportField, readOnlyColumns } from './fields/sheet-columns.ts';

export const columnHeaders: Readonly<Record<ImportField | (typeof readOnlyColumns)[number]['key'], Text>> = {
  name: t`Name`,
  email: t`Email`,
  position: t`Position`,
  department: t`Department`,
  phone: t`Phone`,
  hire_date: t`Hire date`,
  salary: t`Salary`,
  manager_email: t`Manager email`,
  manager_id: t`Manager ID`,
  work_schedule: t`Work schedule`,
  location: t`Location`,
  external_id: t`External ID`,
  employee_number: t`Employee number`,
  termination_date: t`Last day`,
  'emergency_contact.name': t`Emergency contact name`,
  'emergency_contact.phone': t`Emergency contact phone`,
  'emergency_contact.relationship': t`Emergency contact relationship`,
  id: t`ID`,
  status: t`Status`,
  role: t`Role`,
  manager_name: t`Manager name`,
  avatar_url: t`Photo`,
  created_at: t`Created at`,
  updated_at: t`Updated at`,
};
