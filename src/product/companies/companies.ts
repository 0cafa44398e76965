/** Companies and their first people, as created by the operator. */

import { sql } from 'kysely';
import type { Json } from '../../../generated/db.ts';
import { trustedNameErrors } from '../../contract/error-messages.ts';
import { validationError } from '../../contract/problem.ts';
import { hashPassword } from '../../identity/passwords/passwords.ts';
import { findUser } from '../../identity/users/users.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { newId } from '../../platform/values/ids.ts';
import { isId } from '../access/records.ts';
import { addMembership } from '../collaborators/membership/link-user.ts';
import { addCollaborator, type NewCollaborator } from '../collaborators/write/add-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { changeCompany } from './change-company.ts';
import type { QuotaName } from './quotas.ts';

export interface Company {
  id: string;
  name: string;
  /** An IANA name; decides when its days start and end. */
  time_zone: string;
  created_at: string;
}

const companyColumns = ['id', 'name', 'time_zone', 'created_at'] as const;

export interface Person extends NewCollaborator {
  /** In plain text; only its argon2id hash is stored. */
  password: string;
}

/** @param passwordHash of the admin's password, if known @throws 400 if the name or the admin's fields violate a rule */
export async function createCompany(
  db: Database,
  name: string,
  admin: Person,
  passwordHash?: string,
): Promise<{ company: Company; admin: { user_id: string; collaborator_id: string } }> {
  const errors = trustedNameErrors(name);
  if (errors.length > 0) throw validationError({ company: errors });
  const tenant = db.tenant(newId());
  const stored = passwordHash ?? (await hashPassword(admin.password));
  return counted(tenant, async (tx) => {
    const company = await tx.global
      .insertInto('companies')
      .values({ id: tenant.company_id, name })
      .returning(companyColumns)
      .executeTakeFirstOrThrow();
    const target = { type: 'company', id: company.id };
    recordAudit(tx, { action: 'company.created', actor: { type: 'operator' }, target });
    return { company, admin: await addPerson(tx, { ...admin, role: 'admin' }, stored) };
  });
}

/** @param passwordHash of their password, if known @throws 400 if the fields violate a rule */
export async function createPerson(db: Database, companyId: string, person: Person, passwordHash?: string) {
  const stored = passwordHash ?? (await hashPassword(person.password));
  return counted(db.tenant(companyId), (tx) => addPerson(tx, person, stored));
}

export async function listCompanies(db: Database): Promise<Company[]> {
  return db.global.selectFrom('companies').select(companyColumns).orderBy('created_at').execute();
}

export async function findCompany(db: Database, id: string): Promise<Company | undefined> {
  if (!isId(id)) return undefined;
  return db.global.selectFrom('companies').select(companyColumns).where('id', '=', id).executeTakeFirst();
}

export async function renameCompany(db: Database, id: string, name: string): Promise<Company | undefined> {
  return changeByOperator(db, id, { name }, 'company.renamed');
}

/** @returns undefined for an unknown company */
export async function setTimeZone(db: Database, id: string, timeZone: string): Promise<Company | undefined> {
  return changeByOperator(db, id, { time_zone: timeZone }, 'company.time_zone_set');
}

/** Emits the same event as for a change by an admin. */
async function changeByOperator(
  db: Database,
  id: string,
  details: { name: string } | { time_zone: string },
  action: string,
): Promise<Company | undefined> {
  if (!(await findCompany(db, id))) return undefined;
  return db.tenant(id.toLowerCase()).transaction(async (tx) => {
    const { name, time_zone: timeZone, created_at: createdAt } = await changeCompany(tx, null, details);
    const target = { type: 'company', id: tx.company_id };
    recordAudit(tx, { action, actor: { type: 'operator' }, target, details });
    return { id: tx.company_id, name, time_zone: timeZone, created_at: createdAt };
  });
}

/** @param limit null for the default of the settings @returns false for an unknown company */
export async function setQuota(db: Database, id: string, name: QuotaName, limit: number | null): Promise<boolean> {
  if (!isId(id)) return false;
  const change =
    limit === null
      ? sql<Json>`quotas - ${name}::text`
      : sql<Json>`quotas || ${JSON.stringify({ [name]: limit })}::jsonb`;
  const { numUpdatedRows } = await db.global
    .updateTable('companies')
    .set({ quotas: change })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const entry = { action: 'company.quota_set', actor: { type: 'operator' }, target: { type: 'company', id } } as const;
  await recordInCompanies(db, [id], { ...entry, details: { quota: name, limit } });
  return true;
}

/** A user may belong to several companies: an existing one keeps name and password. */
async function addPerson(tx: CountedTransaction, { password: _, ...fields }: Person, passwordHash: string) {
  const user = await tx.global
    .insertInto('users')
    .values({ id: newId(), email: fields.email, name: fields.name, password_hash: passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  const userId = user?.id ?? (await findUser(tx.global, fields.email))!.id;
  const acceptedAt = new Date().toISOString();
  const row = await addCollaborator(
    tx,
    { user_id: null },
    { ...fields, user_id: userId, status: 'active', accepted_at: acceptedAt },
  );
  await addMembership(tx, userId, row.id);
  recordAudit(tx, {
    action: 'user.created',
    actor: { type: 'operator' },
    target: { type: 'collaborator', id: row.id },
    details: { user_id: userId, role: row.role },
  });
  return { user_id: userId, collaborator_id: row.id };
}
