/** `company create` and `company list`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createCompany, listCompanies } from '../accounts/companies.ts';
import { contract } from '../contract.ts';
import type { Database } from '../db/client.ts';
import type { Environment } from '../development.ts';
import { type FieldErrors, Problem } from '../errors.ts';
import { validateBody } from '../http/validate.ts';
import { newSecret } from '../secrets.ts';
import { withDatabase } from './database.ts';
import { Failure } from './failure.ts';
import { type OutputOptions, print, table } from './output.ts';
import { type PasswordOptions, readPassword } from './password.ts';

/** As the sign-in page takes them. */
const password_characters = { min: 8, max: 1024 };

export interface CompanyOptions extends OutputOptions, PasswordOptions {
  name: string;
  adminEmail: string;
  adminName: string;
  adminPosition: string;
  adminDepartment: string;
}

export async function create(environment: Environment, options: CompanyOptions): Promise<void> {
  const name = options.name.trim();
  const person = {
    name: options.adminName,
    email: options.adminEmail,
    position: options.adminPosition,
    department: options.adminDepartment,
  };
  checkFields(name, person);
  const { company, admin, existing } = await withDatabase(environment, async (db) => {
    const existing = await hasUser(db, person.email);
    // Who has an account keeps its password: what stands here instead is never stored.
    const password = existing ? newSecret() : await newPassword(options);
    return { existing, ...(await createCompany(db, name, { ...person, password })) };
  });
  const data = { company, admin: { ...admin, email: person.email, existing_user: existing } };
  const account = existing ? 'had an account before: its name and password stay' : 'can sign in now';
  print(options, data, `Company  ${company.name}\nId       ${company.id}\nAdmin    ${person.email} (${account})`);
}

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, listCompanies);
  const rows = data.map(({ id, name, created_at }) => [id, name, created_at]);
  print(options, { data }, table(['ID', 'NAME', 'CREATED'], rows, 'There is no company yet.'));
}

/** The rules of the contract for a new collaborator, told by the options that break them. */
function checkFields(
  name: string,
  person: { name: string; email: string; position: string; department: string },
): void {
  const errors: FieldErrors = {};
  if (name.length < 1 || name.length > 200) {
    errors.company = [{ code: name ? 'too_long' : 'too_short', message: 'Must have 1 to 200 characters.' }];
  }
  try {
    validateBody(collaboratorValidator(), person);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    Object.assign(errors, error.details);
  }
  const wrong = Object.entries(errors).map(([field, list]) => {
    return `${field === 'company' ? '--name' : `--admin-${field}`}: ${list.map(({ message }) => message).join(' ')}`;
  });
  if (wrong.length > 0) throw new Failure(wrong.join('; '));
}

function collaboratorValidator() {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false }));
  const body = { $ref: 'contract#/components/schemas/CollaboratorCreate' };
  return ajv
    .addSchema({ components: contract.components }, 'contract')
    .compile({ type: 'object', properties: { requestBody: body } });
}

async function newPassword(options: PasswordOptions): Promise<string> {
  const password = await readPassword(options);
  const { min, max } = password_characters;
  if (password.length >= min && password.length <= max) return password;
  throw new Failure(`--admin-password: Must have ${min} to ${max} characters.`);
}

async function hasUser(db: Database, email: string): Promise<boolean> {
  const user = await db.global
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  return user !== undefined;
}
