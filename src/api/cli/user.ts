/** `user list`, `create`, `reset-password`, `revoke`, `remove-factors`, and `unlink`. */

import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { Problem } from '../../contract/problem.ts';
import { revokeAccess } from '../../identity/grants/revoke-access.ts';
import type { Role } from '../../identity/members/member.ts';
import { resetPassword } from '../../identity/passwords/set-password.ts';
import { createLimits } from '../../identity/users/sign-in-limits.ts';
import { findUser, findUserOrProviderUser, listUsers } from '../../identity/users/users.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Environment } from '../../platform/config/development.ts';
import type { Database } from '../../platform/db/client.ts';
import { createMailQueue } from '../../platform/mail/mail-queue.ts';
import { newSecret } from '../../platform/secrets/secrets.ts';
import { createPerson, findCompany } from '../../product/companies/companies.ts';
import { resetFactors } from '../../product/companies/reset-factors.ts';
import { unlinkUser } from '../../product/sign-in-connections/unlink-user.ts';
import { noCompany } from './company.ts';
import { withDatabase } from './database.ts';
import { fieldErrorsOf, personErrors, refuseFields } from './fields.ts';
import { newPassword } from './password.ts';

export interface UserOptions extends OutputOptions {
  company: string;
  email: string;
  name: string;
  position: string;
  department: string;
  role: Role;
  passwordStdin?: boolean;
}

export async function list(environment: Environment, options: OutputOptions & { company?: string }): Promise<void> {
  const data = await withDatabase(environment, async (db) => {
    if (options.company !== undefined && !(await findCompany(db, options.company))) throw noCompany(options.company);
    return listUsers(db, options.company);
  });
  const rows = data.map(({ id, email, name, companies }) => {
    const memberships = companies.map((membership) => `${membership.name} (${membership.role}, ${membership.status})`);
    return [id, email, name, memberships.join('; ') || 'none'];
  });
  print(options, { data }, table(['ID', 'EMAIL', 'NAME', 'COMPANIES'], rows, 'There are no users.'));
}

export async function create(environment: Environment, options: UserOptions): Promise<void> {
  const { position, department, role } = options;
  const person = { email: options.email, name: options.name, position, department };
  const option = (field: string) => `--${field}`;
  refuseFields(personErrors(person), option);
  const { email, name } = person;
  const { company, added, existing } = await withDatabase(environment, async (db) => {
    const company = await findCompany(db, options.company);
    if (!company) throw noCompany(options.company);
    const existing = (await findUser(db.global, email)) !== undefined;
    // An existing account keeps its password; this placeholder is never stored.
    const password = existing ? newSecret() : await userPassword(options, [name, email, company.name]);
    const added = await createPerson(db, company.id, { ...person, role, password }).catch((error) => {
      refuseFields(fieldErrorsOf(error), option, 1); // such as an address in use
      throw error;
    });
    return { company, added, existing };
  });
  const data = { company, user: { ...added, email, role, existing_user: existing } };
  const account = existing ? 'had an account before: its name and password stay' : 'can sign in now';
  const lines = [`User     ${email} (${account})`, `Id       ${added.user_id}`, `Company  ${company.name}, as ${role}`];
  print(options, data, lines.join('\n'));
}

export async function setPassword(
  environment: Environment,
  email: string,
  options: OutputOptions & { passwordStdin?: boolean },
): Promise<void> {
  const work = async (db: Database, config: Config) => {
    const user = await findUser(db.global, email);
    if (!user) throw noUser(email);
    const password = await userPassword(options, [user.name, user.email]);
    await resetPassword(db, createMailQueue(config.encryption_keys), user.email, password);
    await createLimits({ db, config, log: undefined }).resetFailures(user.id);
    return user;
  };
  const user = await withDatabase(environment, work, { usesQueue: true, encrypts: true });
  const notice = 'all sessions and apps must sign in again, and the user is notified by email';
  print(options, { user }, `${user.email} has a new password: ${notice}.`);
}

export async function revoke(environment: Environment, emailOrId: string, options: OutputOptions): Promise<void> {
  const work = async (db: Database, { encryption_keys: encryptionKeys }: Config) => {
    const user = await findUserOrProviderUser(db.global, emailOrId);
    if (!user) throw noUser(emailOrId);
    return { user, ended: await revokeAccess(db, encryptionKeys, user.id, { actor: { type: 'operator' } }) };
  };
  const { user, ended } = await withDatabase(environment, work, { encrypts: true });
  const { grants, sessions } = ended;
  const text = `Revoked the access of ${user.email}: grants ${grants}, sessions ${sessions}.`;
  print(options, { user, ended }, `${text} They can sign in again.`);
}

export async function removeFactors(
  environment: Environment,
  emailOrId: string,
  options: OutputOptions & { verified?: boolean },
): Promise<void> {
  if (!options.verified) {
    throw new CliError("first verify the user's identity by other means, then pass --verified", 2);
  }
  const work = async (db: Database, { encryption_keys: encryptionKeys }: Config) => {
    const user = await findUserOrProviderUser(db.global, emailOrId);
    if (!user) throw noUser(emailOrId);
    const removedFactors = await resetFactors(db, createMailQueue(encryptionKeys), encryptionKeys, user);
    if (!removedFactors) throw new CliError(`${user.email} has no second factor`);
    return { user, taken: removedFactors };
  };
  const { user, taken: removedFactors } = await withDatabase(environment, work, { usesQueue: true, encrypts: true });
  const notice =
    'all sessions and apps must sign in again, and the user and the admins of their companies are notified by email';
  print(options, { user, taken: removedFactors }, `${user.email} no longer has a second factor: ${notice}.`);
}

/** For a person who is tied to an account of somebody else at their provider. */
export async function unlink(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const { user, links } = await withDatabase(environment, async (db) => {
    const user = await findUserOrProviderUser(db.global, id);
    if (!user) throw noUser(id);
    const links = await unlinkUser(db, user.id).catch((error) => {
      if (!(error instanceof Problem) || error.code !== 'last_admin') throw error;
      throw new CliError(`${user.email} is the only active admin: first add another with \`user create --role admin\``);
    });
    if (links === undefined) throw new CliError(`no identity provider signs in ${user.email}; see \`user list\``);
    return { user, links };
  });
  const next = [
    `${user.email} is no longer linked to an account of the provider: all sessions, apps, and second factors are gone.`,
    'The profile stays. To sign in again, the person needs an invitation; if a directory has them, the account that it names as',
    'externalId can sign in at once: correct it at the provider first.',
  ];
  print(options, { user, links }, next.join('\n'));
}

function userPassword({ passwordStdin }: { passwordStdin?: boolean }, known: readonly string[]): Promise<string> {
  return newPassword({ title: 'Password', stdin: passwordStdin, stdinOption: '--password-stdin' }, known);
}

function noUser(emailOrId: string): CliError {
  return new CliError(`there is no user ${emailOrId}; see \`user list\``);
}
