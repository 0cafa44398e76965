/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from './translate.ts';

export const roleNames = () => ({
  admin: t`admin`,
  manager: t`manager`,
  employee: t`employee`,
});

export const scopeNames = () => ({
  profile: t`See your name, email address and companies`,
  offline_access: t`Stay connected while you're away`,
  'collaborators:read': t`See people and their profiles`,
  'colleagues:read': t`See the people directory`,
  'collaborators:write': t`Add, change and remove people`,
  'salary:read': t`See salaries`,
  'salary:write': t`Change salaries`,
  'custom_fields:manage': t`Define custom fields`,
  'custom_fields:sensitive': t`See and change sensitive custom fields`,
  'roles:write': t`Change people's roles`,
  'documents:read': t`See and download people's documents`,
  'documents:write': t`Add and remove people's documents`,
  'history:read': t`See the history of changes`,
  'notifications:read': t`See notification settings`,
  'notifications:write': t`Change notification settings`,
  'invitations:send': t`Send invitations`,
  'imports:write': t`Import people from files`,
  'exports:read': t`Export people to files`,
  'audit:read': t`Read the audit log`,
  'company:manage': t`Change the company's settings and sign-in rules`,
  'apps:manage': t`Register, change and delete the company's own apps`,
  'directories:manage': t`Connect identity providers`,
  'sign_in_connections:manage': t`Connect identity providers that people sign in with`,
  'connections:manage': t`See connected apps and end connections`,
  'webhooks:manage': t`Manage webhooks and read company events`,
});

export const installedScopeNames = () => ({
  profile: t`See the company's name`,
  offline_access: t`Stay connected until someone ends it`,
});

export const fieldLabels = () => ({
  name: t`Name`,
  email: t`Email`,
  position: t`Position`,
  department: t`Department`,
  location: t`Location`,
  work_schedule: t`Work schedule`,
  manager_id: t`Manager`,
  manager: t`Manager`,
  reports_count: t`Direct reports`,
  phone: t`Phone`,
  hire_date: t`Hire date`,
  termination_date: t`Last day`,
  salary: t`Salary`,
  employee_number: t`Employee number`,
  external_id: t`External ID`,
  emergency_contact: t`Emergency contact`,
  custom_fields: t`Custom fields`,
  status: t`Status`,
  role: t`Role`,
  contact_name: t`Emergency contact name`,
  contact_phone: t`Emergency contact phone`,
  contact_relationship: t`Emergency contact relationship`,
  id: t`ID`,
  manager_email: t`Manager email`,
  manager_key: t`Manager ID`,
  manager_any: t`Manager: name, address or number`,
  manager_employee_number: t`Manager's employee number`,
  given_name: t`First name`,
  family_name: t`Last name`,
});

export const deactivationReasons = () => ({
  gone: t`The endpoint responded with 410 Gone.`,
  client_error: t`The endpoint kept rejecting a delivery until its last retry.`,
  server_error: t`The endpoint kept failing until the last retry of a delivery.`,
  network_error: t`The endpoint couldn't be reached until the last retry of a delivery.`,
  backlog: t`The endpoint's backlog exceeded the company's limit.`,
  installation_suspended: t`The app that created it is suspended.`,
  manual: t`Someone paused it.`,
});
