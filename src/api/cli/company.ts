/** `company create`, `list`, `rename` and `set-time-zone`. */

import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { findUser } from '../../identity/users/users.ts';
import type { Environment } from '../../platform/config/development.ts';
import { newSecret } from '../../platform/secrets/secrets.ts';
import { isTimeZone } from '../../platform/values/time-zones.ts';
import {
  createCompany,
  listCompanies,
  renameCompany,
  setTimeZone as saveTimeZone,
} from '../../product/companies/companies.ts';
import { withDatabase } from './database.ts';
import { companyNameErrors, personErrors, refuseFields } from './fields.ts';
import { newPassword } from './password.ts';

export interface CompanyOptions extends OutputOptions {
  name: string;
  adminEmail: string;
  adminName: string;
  adminPosition: string;
  adminDepartment: string;
  adminPassword?: string;
  adminPasswordStdin?: boolean;
}

export async function create(environment: Environment, options: CompanyOptions): Promise<void> {
  const input = { name: options.name };
  const person = {
    name: options.adminName,
    email: options.adminEmail,
    position: options.adminPosition,
    department: options.adminDepartment,
  };
  const { name: companyName = [] } = companyNameErrors(input);
  const errors = { ...(companyName.length > 0 && { company: companyName }), ...personErrors(person) };
  refuseFields(errors, (field) => (field === 'company' ? '--name' : `--admin-${field}`));
  const { company, admin, existing } = await withDatabase(environment, async (db) => {
    const existing = (await findUser(db.global, person.email)) !== undefined;
    // An existing account keeps its password; this placeholder is never stored.
    const password = existing ? newSecret() : await adminPassword(options);
    return { existing, ...(await createCompany(db, input.name, { ...person, password })) };
  });
  const data = { company, admin: { ...admin, email: person.email, existing_user: existing } };
  const account = existing ? 'had an account before: its name and password stay' : 'can sign in now';
  print(options, data, `Company  ${company.name}\nId       ${company.id}\nAdmin    ${person.email} (${account})`);
}

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, listCompanies);
  const rows = data.map(({ id, name, time_zone: timeZone, created_at: createdAt }) => [id, name, timeZone, createdAt]);
  print(options, { data }, table(['ID', 'NAME', 'TIME ZONE', 'CREATED'], rows, 'There are no companies.'));
}

export async function rename(
  environment: Environment,
  id: string,
  options: OutputOptions & { name: string },
): Promise<void> {
  const input = { name: options.name };
  refuseFields(companyNameErrors(input), (field) => `--${field}`);
  const company = await withDatabase(environment, (db) => renameCompany(db, id, input.name));
  if (!company) throw noCompany(id);
  print(options, { company }, `Company ${company.id} is now called ${company.name}.`);
}

export async function setTimeZone(
  environment: Environment,
  id: string,
  timeZone: string,
  options: OutputOptions,
): Promise<void> {
  if (!isTimeZone(timeZone)) {
    throw new CliError(`${timeZone} is not an IANA time zone such as America/Sao_Paulo`, 2);
  }
  const company = await withDatabase(environment, (db) => saveTimeZone(db, id, timeZone));
  if (!company) throw noCompany(id);
  print(options, { company }, `Company ${company.id} now has the time zone ${company.time_zone}.`);
}

export function noCompany(id: string): CliError {
  return new CliError(`there is no company with the ID ${id}; see \`company list\``);
}

function adminPassword({ name, adminName, adminEmail, adminPassword, adminPasswordStdin }: CompanyOptions) {
  const source = { title: 'Password of the admin', optionValue: adminPassword, stdin: adminPasswordStdin };
  return newPassword({ ...source, stdinOption: '--admin-password-stdin' }, [adminName, adminEmail, name]);
}
