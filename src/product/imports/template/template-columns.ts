/** The template's column hints and example values, in the reader's language. */
import { type Text, t } from '../../../contract/languages/text.ts';
import { exampleEmail, type ImportField } from '../../collaborators/fields/sheet-columns.ts';

interface ColumnMessages {
  rule: Text;
  example: Text | string | number | null;
}

export const columnMessages: Readonly<Record<ImportField, ColumnMessages>> = {
  name: { rule: t`Full name, 2 to 200 characters.`, example: 'Ada Example' },
  email: {
    rule: t`A work email address that nobody else in the company has.`,
    example: exampleEmail,
  },
  position: { rule: t`Job title, 1 to 200 characters.`, example: t`Route Planner` },
  department: {
    rule: t`Department or team, 1 to 200 characters.`,
    example: t`Field Operations`,
  },
  phone: {
    rule: t`Any format, up to 100 characters; stored as entered.`,
    example: '+55 11 91234-5678',
  },
  hire_date: {
    rule: t`A date, as a date of the spreadsheet or written as 2026-03-02.`,
    example: '2026-03-02',
  },
  salary: { rule: t`Annual salary, a number with at most two decimals.`, example: 68_400 },
  manager_email: {
    rule: t`The email address of someone in the company or in this file.`,
    example: null,
  },
  manager_id: {
    rule: t`The id of someone in the company; ignored if there is a manager email.`,
    example: null,
  },
  work_schedule: {
    rule: t`Free text, for example full-time; up to 200 characters.`,
    example: t`Full-time`,
  },
  location: { rule: t`Where the person works, up to 200 characters.`, example: 'Campinas' },
  external_id: {
    rule: t`The person’s id in the source system, up to 255 characters; must be unique.`,
    example: 'workday:20417',
  },
  employee_number: {
    rule: t`The person’s employee number, up to 64 characters; must be unique.`,
    example: 'VL-0417',
  },
  termination_date: {
    rule: t`The last day of employment, not before the first; the person is deactivated on the day after it.`,
    example: null,
  },
  'emergency_contact.name': {
    rule: t`The person to call in an emergency.`,
    example: 'Grace Example',
  },
  'emergency_contact.phone': {
    rule: t`Their phone number.`,
    example: '+55 11 99876-5432',
  },
  'emergency_contact.relationship': {
    rule: t`Their relationship to the person, for example spouse.`,
    example: t`Spouse`,
  },
};
