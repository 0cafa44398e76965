/** Column headers of templates and exports, in the reader's language. Imports recognize them in all languages. */
import { say, type Text } from '../../contract/languages/text.ts';
import type { ImportField, readOnlyColumns } from './fields/sheet-columns.ts';

export const columnHeaders: Readonly<Record<ImportField | (typeof readOnlyColumns)[number]['key'], Text>> = {
  name: say`Name`,
  email: say`Email`,
  position: say`Position`,
  department: say`Department`,
  phone: say`Phone`,
  hire_date: say`Hire date`,
  salary: say`Salary`,
  manager_email: say`Manager email`,
  manager_id: say`Manager ID`,
  work_schedule: say`Work schedule`,
  location: say`Location`,
  external_id: say`External ID`,
  employee_number: say`Employee number`,
  termination_date: say`Termination date`,
  'emergency_contact.name': say`Emergency contact name`,
  'emergency_contact.phone': say`Emergency contact phone`,
  'emergency_contact.relationship': say`Emergency contact relationship`,
  id: say`ID`,
  status: say`Status`,
  role: say`Role`,
  manager_name: say`Manager name`,
  avatar_url: say`Photo`,
  created_at: say`Created at`,
  updated_at: say`Updated at`,
};
