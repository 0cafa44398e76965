/**
 * The sign-in address after a company changes the address in its record of a person.
 *
 * The account belongs to the person, and may give access to other companies, so an admin's change doesn't move it. That takes two
 * proofs: the link, for access to the new mailbox; and all factors, for the person's identity. An admin who enters their own
 * mailbox has only the first, and learns nothing by it. Until then the old address signs in, and receives password reset links.
 * See docs/decisions/0009-sign-in-address.md.
 */
import { sql } from 'kysely';
import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { languageOfCompany, languagesOf } from '../../identity/members/own-language.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import { isBroken } from '../../platform/db/broken-constraint.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { ConfirmAddressJob } from '../collaborators/write/confirm-address.ts';
import { type AddressLinks, validDays } from './address-links.ts';
import { type Confirmation, moveUser } from './move-user.ts';

/** Mails per record and day. */
const maxPerDay = 5;

interface OpenAddressChange {
  company: string;
  name: string;
  email: string;
  language: Language | undefined;
  user: { id: string; name: string; email: string; password_hash: string | null };
}

/** Does nothing if the person already signs in with it. @throws Error at the company's daily mail limit; retried later */
export async function sendAddressLink(
  db: Database,
  mail: MailQueue,
  links: AddressLinks,
  baseUrl: string,
  { company_id: companyId, collaborator_id: collaboratorId }: ConfirmAddressJob,
): Promise<void> {
  await db.tenant(companyId).transaction(async (tx) => {
    const found = await findPerson(tx, collaboratorId);
    if (!found || found.row.email.toLowerCase() === found.user.email.toLowerCase()) return;
    if ((await changesToday(tx, collaboratorId)) > maxPerDay) return;
    const { row, user } = found;
    const addresses = { new_address: row.email, old_address: user.email };
    const token = links.token({
      company_id: companyId,
      collaborator_id: collaboratorId,
      user_id: user.id,
      ...addresses,
    });
    const company = await companyName(tx);
    const link = `${baseUrl}/oauth/address/${token}`;
    const values = { name: row.name, company, link, daysValid: validDays };
    const set = (await languagesOf(tx, [collaboratorId])).get(collaboratorId);
    const language = set ?? (await languageOfCompany(tx)) ?? defaultLanguage;
    const queued = await mail.queueOfCompany(tx, [{ template: 'confirm_address', to: row.email, language, values }]);
    if (queued === 0) throw new Error('the company reached its daily email limit: the link is sent later');
  });
}

/** @returns undefined for a link that is unknown, used, expired, or superseded, or for a person who has left */
export async function findAddressChange(
  db: Database,
  links: AddressLinks,
  token: string,
): Promise<OpenAddressChange | undefined> {
  const linked = links.open(token);
  if (!linked) return undefined;
  const tenant = db.tenant(linked.company_id);
  const found = await openChange(tenant, linked);
  if (!found) return undefined;
  const { row, user } = found;
  const language = (await languagesOf(tenant, [linked.collaborator_id])).get(linked.collaborator_id);
  return { company: await companyName(tenant), name: row.name, email: row.email, language, user };
}

/**
 * @param userId who was just authenticated
 * @param language of the mail to the old address
 */
export async function confirmAddress(
  db: Database,
  mail: MailQueue,
  links: AddressLinks,
  token: string,
  userId: string,
  language: Language,
  origin?: Origin,
): Promise<Confirmation> {
  const linked = links.open(token);
  if (linked?.user_id !== userId) return 'gone';
  return db.tenant(linked.company_id).transaction(async (tx) => {
    // Collaborator first, then user: the lock order of all callers.
    const collaborator = tx.selectFrom('collaborators').select('id').where('id', '=', linked.collaborator_id);
    await collaborator.forNoKeyUpdate().execute();
    await tx.global.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const found = await openChange(tx, linked);
    if (!found) return 'gone';
    const { name, email: oldAddress } = found.user;
    const move = () => moveUser(tx.global, userId, { from: oldAddress, to: found.row.email });
    try {
      await tx.attempt(move);
    } catch (error) {
      if (isBroken(error, 'users_email_key')) return 'taken';
      throw error;
    }
    await mail.queue(tx.raw, { template: 'address_changed', to: oldAddress, language, values: { name } });
    const target = { type: 'user', id: userId };
    recordAudit(tx, { action: 'sign_in_address.changed', actor: { type: 'user', user_id: userId }, origin, target });
    return 'confirmed';
  });
}

async function openChange(tenant: Tenant, linked: NonNullable<ReturnType<AddressLinks['open']>>) {
  const found = await findPerson(tenant, linked.collaborator_id);
  if (found?.user.id !== linked.user_id) return undefined;
  const addresses = { new_address: found.row.email, old_address: found.user.email };
  return linked.isFor(addresses) ? found : undefined;
}

async function findPerson(tenant: Tenant, collaboratorId: string) {
  const row = await tenant
    .selectFrom('collaborators')
    .select(['name', 'email', 'user_id'])
    .where('id', '=', collaboratorId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row?.user_id) return undefined;
  const user = await tenant.global
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash'])
    .where('id', '=', row.user_id)
    .where('only_company_id', 'is', null) // users of a provider don't sign in by address
    .executeTakeFirst();
  return user && { row, user };
}

async function changesToday(tx: TenantTransaction, collaboratorId: string): Promise<number> {
  const { changes } = await tx
    .selectFrom('collaborator_history')
    .select(({ fn }) => fn.countAll<number>().as('changes'))
    .where('collaborator_id', '=', collaboratorId)
    .where('timestamp', '>', sql<string>`now() - interval '1 day'`)
    .where('changes', '@>', sql<string>`'[{"field": "email"}]'::jsonb`)
    .executeTakeFirstOrThrow();
  return Number(changes);
}

async function companyName(tenant: Tenant): Promise<string> {
  const company = tenant.global.selectFrom('companies').select('name').where('id', '=', tenant.company_id);
  return (await company.executeTakeFirstOrThrow()).name;
}
