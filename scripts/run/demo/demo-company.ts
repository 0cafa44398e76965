/** The demo company: a small tree of people with accounts. `full-company.ts` adds everyone else and a month of activity. */

import { forgetMembers } from '../../../src/identity/members/member.ts';
import { hashPassword } from '../../../src/identity/passwords/passwords.ts';
import { developmentSettings, type Environment, rememberSettings } from '../../../src/platform/config/development.ts';
import type { Database } from '../../../src/platform/db/client.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { addCollaborator, type NewCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { type Company, createCompany, createPerson, listCompanies } from '../../../src/product/companies/companies.ts';
import { createField } from '../../../src/product/custom-fields/change-fields.ts';

export const companyName = 'Verde Logística';

/** The accounts that are shown: an admin, a manager, and an employee of the manager's team. */
export const accounts = {
  admin: 'mariana.duarte@verdelog.example',
  manager: 'rui.almeida@verdelog.example',
  employee: 'joao.nogueira@verdelog.example',
};

interface DemoPerson extends NewCollaborator {
  /** Email of the manager, who must come earlier in the list. */
  manager?: string;
}

/** The first person is the admin. Everyone can sign in except `pending` people. */
const people: [DemoPerson, ...DemoPerson[]] = [
  {
    name: 'Mariana Duarte',
    email: accounts.admin,
    position: 'Operations Director',
    department: 'Management',
    phone: '+55 11 3555-0100',
    hire_date: '2017-08-01',
    salary: 198_000,
    work_schedule: 'Full-time',
    location: 'Av. Paulista 1374, São Paulo',
    role: 'admin',
  },
  {
    name: 'Rui Almeida',
    email: accounts.manager,
    position: 'Field Operations Manager',
    department: 'Field Operations',
    phone: '+55 19 3555-0117',
    hire_date: '2019-02-11',
    salary: 132_500,
    work_schedule: 'Full-time',
    location: 'Rod. Anhanguera km 104, Campinas',
    role: 'manager',
    custom_fields: { shirt_size: 'l', forklift_until: '2027-05-31', bank_account: 'BR15 0000 0000 0117' },
    manager: accounts.admin,
  },
  {
    name: 'João Pedro Nogueira',
    email: accounts.employee,
    position: 'Route Planner',
    department: 'Field Operations',
    phone: '+55 11 91234-5678',
    hire_date: '2022-03-02',
    salary: 68_400,
    custom_fields: { shirt_size: 'm', bank_account: 'BR15 0000 0000 0342' },
    work_schedule: 'Full-time, Mon–Fri 08:00–17:00',
    location: 'Rod. Anhanguera km 104, Campinas',
    emergency_contact: { name: 'Helena Nogueira', phone: '+55 11 99876-5432', relationship: 'Sister' },
    manager: accounts.manager,
  },
  {
    name: 'Clara Sousa',
    email: 'clara.sousa@verdelog.example',
    position: 'Shift Supervisor',
    department: 'Field Operations',
    phone: '+55 19 99555-0121',
    hire_date: '2020-10-05',
    salary: 81_250.5,
    work_schedule: 'Full-time, shifts',
    location: 'Rod. Anhanguera km 104, Campinas',
    emergency_contact: { name: 'Nuno Sousa', phone: '+55 19 99555-0190', relationship: 'Husband' },
    manager: accounts.manager,
  },
  {
    name: 'Tiago Moreira',
    email: 'tiago.moreira@verdelog.example',
    position: 'Driver',
    department: 'Field Operations',
    hire_date: '2023-06-19',
    salary: 43_800,
    work_schedule: 'Full-time, shifts',
    location: 'Rod. Anhanguera km 104, Campinas',
    manager: 'clara.sousa@verdelog.example',
  },
  {
    name: 'Beatriz Lima',
    email: 'beatriz.lima@verdelog.example',
    position: 'Driver',
    department: 'Field Operations',
    work_schedule: 'Part-time, weekends',
    location: 'Rod. Anhanguera km 104, Campinas',
    manager: 'clara.sousa@verdelog.example',
    status: 'pending',
  },
  {
    name: 'Helena Castro',
    email: 'helena.castro@verdelog.example',
    position: 'People Partner',
    department: 'People',
    phone: '+55 11 3555-0142',
    hire_date: '2021-01-18',
    salary: 95_000,
    work_schedule: 'Full-time',
    location: 'Av. Paulista 1374, São Paulo',
    manager: accounts.admin,
  },
  {
    name: 'Paulo Freitas',
    email: 'paulo.freitas@verdelog.example',
    position: 'Accountant',
    department: 'Finance',
    hire_date: '2018-05-14',
    salary: 104_300,
    work_schedule: 'Part-time, Mon–Wed',
    location: 'Remote',
    manager: accounts.admin,
  },
];

/** The company of `make run COMPANY=empty`, with only an admin. */
export const emptyCompanyAccount = {
  name: 'Rio Claro Serviços',
  admin: { name: 'Inês Prado', email: 'ines.prado@rioclaro.example', position: 'Director', department: 'Management' },
};

export async function emptyCompany(
  environment: Environment,
  db: Database,
): Promise<{ company: Company; added: number }> {
  const { EMPTY_COMPANY_ID, DEMO_PASSWORD: password } = await developmentSettings(environment);
  const known = (await listCompanies(db)).find(({ id }) => id === EMPTY_COMPANY_ID);
  if (known) return { company: known, added: 0 };
  const { company } = await createCompany(db, emptyCompanyAccount.name, { ...emptyCompanyAccount.admin, password });
  await rememberSettings(environment, { EMPTY_COMPANY_ID: company.id });
  return { company, added: 1 };
}

/** Creates the demo company once per data folder; later changes to it are kept. */
export async function demoCompany(
  environment: Environment,
  db: Database,
): Promise<{ company: Company; added: number }> {
  const { DEMO_COMPANY_ID, DEMO_PASSWORD } = await developmentSettings(environment);
  const companies = await listCompanies(db);
  const known = companies.find(({ id }) => id === DEMO_COMPANY_ID);
  if (known) return { company: known, added: 0 };
  const existing = companies.find(({ name }) => name === companyName); // from an earlier, interrupted start
  const created = await addPeople(db, existing, DEMO_PASSWORD);
  await rememberSettings(environment, { DEMO_COMPANY_ID: created.company.id });
  return created;
}

/** Three custom fields: one that everyone can edit, one for managers, and one for admins. */
async function defineFields(tenant: Tenant, companyId: string): Promise<void> {
  const label = (text: string, pt: string, es: string) => ({ default: text, pt, es });
  const option = (key: string) => ({ key, label: { default: key.toUpperCase() } });
  const fields = [
    {
      key: 'shirt_size',
      type: 'choice',
      label: label('Shirt size', 'Tamanho da camisa', 'Talla de camisa'),
      options: ['s', 'm', 'l', 'xl'].map(option),
      read: 'employee',
      write: 'employee',
    },
    {
      key: 'forklift_until',
      type: 'date',
      label: label('Forklift license until', 'Habilitação de empilhadeira até', 'Licencia de carretilla hasta'),
      read: 'manager',
    },
    {
      key: 'bank_account',
      type: 'text',
      label: label('Bank account', 'Conta bancária', 'Cuenta bancaria'),
      unique: true,
      sensitive: true,
    },
  ] as const;
  for (const field of fields) {
    await createField(tenant, null, { ...field, ...('options' in field && { options: [...field.options] }) });
  }
  forgetMembers(companyId);
}

async function addPeople(db: Database, existing: Company | undefined, password: string) {
  const [admin, ...others] = people;
  const passwordHash = await hashPassword(password);
  const company = existing ?? (await createCompany(db, companyName, { ...admin, password }, passwordHash)).company;
  const tenant = db.tenant(company.id);
  const rows = await tenant.selectFrom('collaborators').select(['id', 'email']).execute();
  const ids = new Map(rows.map(({ id, email }) => [email, id]));
  if (!existing) await defineFields(tenant, company.id);
  for (const { manager, ...fields } of others) {
    if (ids.has(fields.email)) continue;
    const person = { ...fields, manager_id: manager === undefined ? null : ids.get(manager)! };
    const id =
      person.status === 'pending'
        ? (await counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, person))).id
        : (await createPerson(db, company.id, { ...person, password }, passwordHash)).collaborator_id;
    ids.set(person.email, id);
  }
  return { company, added: ids.size - (existing ? rows.length : 0) };
}
