/** `erase-person`: erases a collaborator of one company, or a user in all companies. */
import { sql } from 'kysely';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { note, type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import { promptConfirmation } from '../../../packages/cli/src/terminal/prompt.ts';
import { emailForm } from '../../contract/texts/email.ts';
import { findUser } from '../../identity/users/users.ts';
import type { Environment } from '../../platform/config/development.ts';
import { openSession } from '../../platform/connection/open.ts';
import type { Database } from '../../platform/db/client.ts';
import { isBackupRunning } from '../../platform/files/backup-lock.ts';
import { createStorage } from '../../platform/files/context.ts';
import { boundStore } from '../../platform/files/store/bound-store.ts';
import { clearErasedValues } from '../../platform/schema/statistics.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import { isId } from '../../product/access/records.ts';
import { findCompany } from '../../product/companies/companies.ts';
import { type ErasureOptions, type ErasureResult, eraseCollaborator } from '../../product/erasure/erase-person.ts';
import { eraseUser } from '../../product/erasure/erase-user.ts';
import { noCompany } from './company.ts';
import { withDatabase, withDatabaseUrl } from './database.ts';

export interface ErasePersonOptions extends OutputOptions {
  company?: string;
  collaborator?: string;
  email?: string;
  user?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export async function erasePerson(environment: Environment, options: ErasePersonOptions): Promise<void> {
  checkUsage(options);
  const work = async (
    db: Database,
    config: { encryption_keys: EncryptionKeys } & Parameters<typeof createStorage>[0],
  ) => {
    const context = {
      db,
      storage: boundStore(createStorage(config), db),
      encryption_keys: config.encryption_keys,
      companyFiles: true,
    };
    const found =
      options.user !== undefined ? await findEverywhere(db, options.user) : await findInCompany(db, options);
    const planned = await eraseAll({ ...context, dry_run: true }, found);
    if (options.dryRun) return { ...planned, dry_run: true };
    if (await isBackupRunning(db)) throw new CliError('a backup is running: try again when it has finished');
    if (!options.yes) await confirm(planned);
    return { ...(await eraseAll({ ...context, dry_run: false }, found)), dry_run: false };
  };
  const done = await withDatabase(environment, work, { usesQueue: true, encrypts: true });
  const remaining = describeFailures(done);
  if (!done.dry_run) {
    await withDatabaseUrl(environment, forgetAsOwner).catch((error: Error) => {
      remaining.push(`statistics of the database, which may hold values: ${error.message}`);
    });
  }
  const title = done.dry_run ? 'This would be erased; nothing was changed:' : 'Erased:';
  print(options, done, [title, ...describe(done.erased)].join('\n'));
  if (remaining.length > 0)
    throw new CliError(['some data could not be erased; try again later:', ...remaining].join('\n  '));
}

function describeFailures({ failed }: Erasure): string[] {
  return failed.map(({ company_id: companyId, reason }) => `company ${companyId}: ${reason}`);
}

/** Runs as the owner of the tables: the application lacks the privilege before Postgres 17. */
async function forgetAsOwner(url: string): Promise<void> {
  const client = await openSession(url, { application_name: 'erase-person' });
  await clearErasedValues(client).finally(() => client.end());
}

function checkUsage({ company, collaborator, email, user }: ErasePersonOptions): void {
  const inOneCompany = company !== undefined && (collaborator !== undefined) !== (email !== undefined);
  const inAllCompanies =
    user !== undefined && company === undefined && collaborator === undefined && email === undefined;
  if (!inOneCompany && !inAllCompanies) {
    throw new CliError('select the person: --company with --collaborator or --email, or --user for all companies', 2);
  }
}

interface Found {
  places: { company: { id: string; name: string }; collaborator_id: string }[];
  user_id: string | undefined;
  failed: Failed[];
}

/** A company that couldn't be searched, or where the person can't be erased now. */
interface Failed {
  company_id: string;
  reason: string;
}

interface Erasure {
  erased: ErasureResult[];
  failed: Failed[];
}

/** Includes deleted people. */
async function findInCompany(
  db: Database,
  { company: companyId, collaborator, email }: ErasePersonOptions,
): Promise<Found> {
  const company = await findCompany(db, companyId!);
  if (!company) throw noCompany(companyId!);
  const known = db.tenant(company.id).selectFrom('collaborators').select('id');
  const rows = await (collaborator !== undefined
    ? known.where('id', '=', isId(collaborator) ? collaborator : null)
    : known.where(sql<boolean>`lower(email) = ${emailForm(email!).toLowerCase()}`)
  ).execute();
  if (rows.length === 0) throw new CliError(`there is no such collaborator in ${company.name}`);
  return { places: rows.map(({ id }) => ({ company, collaborator_id: id })), user_id: undefined, failed: [] };
}

async function findEverywhere(db: Database, email: string): Promise<Found> {
  const user = await findUser(db.global, email);
  const address = emailForm(email).toLowerCase();
  const places: Found['places'] = [];
  const failed: Failed[] = [];
  for (const company of await db.global.selectFrom('companies').select(['id', 'name']).orderBy('id').execute()) {
    try {
      const rows = await db
        .tenant(company.id)
        .selectFrom('collaborators')
        .select('id')
        .where((eb) => eb.or([eb('user_id', '=', user?.id ?? null), sql<boolean>`lower(email) = ${address}`]))
        .orderBy('id')
        .execute();
      for (const { id } of rows) places.push({ company, collaborator_id: id });
    } catch (error) {
      failed.push({ company_id: company.id, reason: (error as Error).message });
    }
  }
  if (!user && places.length === 0 && failed.length === 0) throw new CliError(`no one has the email address ${email}`);
  return { places, user_id: user?.id, failed };
}

/**
 * Continues after a failed company. The user is erased with the last company that knows them, or alone if none does.
 * @throws the error of the company, if there is only one
 */
async function eraseAll(options: ErasureOptions, { places, user_id: userId, ...found }: Found): Promise<Erasure> {
  const erased: ErasureResult[] = [];
  const failed = [...found.failed];
  for (const { company, collaborator_id: collaboratorId } of places) {
    try {
      erased.push(await eraseCollaborator(options, company, collaboratorId));
    } catch (error) {
      if (places.length === 1 && failed.length === 0) throw error;
      failed.push({ company_id: company.id, reason: (error as Error).message });
    }
  }
  if (userId !== undefined && !options.dry_run && failed.length === 0) {
    await options.db.global.transaction().execute((tx) => eraseUser(tx, options.encryption_keys, userId));
  }
  return { erased, failed };
}

async function confirm(planned: Erasure): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CliError("this can't be undone: check it with --dry-run, then add --yes", 2);
  }
  note([...describe(planned.erased), ...describeFailures(planned).map((line) => `  not erased: ${line}`)].join('\n'));
  if (!(await promptConfirmation("Erase this? It can't be undone. [y/N] ", process.stdin, process.stderr))) {
    throw new CliError('nothing was erased');
  }
}

function describe(erased: ErasureResult[]): string[] {
  if (erased.length === 0) return ['  the account, with its sessions and grants'];
  return erased.flatMap((each) => [
    `  collaborator ${each.collaborator_id} of company ${each.company_id}`,
    `    account: ${{ none: 'none', erased: 'erased', kept: 'kept, another company uses it' }[each.user]}`,
    `    documents ${each.documents}, photo ${each.photo ? 1 : 0}, history entries without values ${each.history_entries}`,
    `    events ${each.events}, deliveries ${each.deliveries}, receiver responses ${each.receiver_responses}, invitations ${each.invitations}, mails ${each.queued_mails}, stored responses ${each.kept_answers}`,
    `    all of the company, because they may contain the person: imports ${each.imports}, exports ${each.exports}`,
  ]);
}
