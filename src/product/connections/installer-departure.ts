/**
 * After an app's installer leaves or is demoted (`installer-role.ts`), asks all admins whether to keep the app. A job sends the
 * mails, because an import may deactivate a thousand people at once.
 */
import { sql } from 'kysely';
import { defaultLanguage } from '../../contract/languages/language.ts';
import { languagesOf } from '../../identity/members/own-language.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import type { InstallationsJob } from './installation-jobs.ts';
import { type InstallationLinks, validDays } from './installation-links.ts';
import { requestAdminApproval } from './installer-role.ts';

/** Asks about what these people installed, after the transaction commits. */
export async function requestInstallationApproval(tx: TenantTransaction, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const installations = await tx.global
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('installation_role', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`company_ids @> array[${tx.company_id}::uuid]`)
    .execute();
  if (installations.length > 0)
    await requestAdminApproval(
      tx,
      installations.map(({ id }) => id),
    );
}

interface Postage {
  mail: MailQueue;
  links: InstallationLinks;
  base_url: string;
}

/** Mails every admin their own link per installation. */
export async function mailAdmins(db: Database, postage: Postage, job: InstallationsJob): Promise<void> {
  const tenant = db.tenant(job.company_id);
  for (const id of job.installationIds) {
    const found = await findInstallation(tenant, id);
    if (found) await tenant.transaction((tx) => mailFor(tx, postage, id, found));
  }
}

async function mailFor(
  tx: TenantTransaction,
  { mail, links, base_url: baseUrl }: Postage,
  installationId: string,
  { app, company, demoted, suspended_at: suspendedAt }: FoundInstallation,
): Promise<void> {
  const { company_id: companyId } = tx;
  const admins = await tx
    .selectFrom('collaborators')
    .select(['id', 'name', 'email', 'user_id'])
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', 'active')
    .where('user_id', 'is not', null) // admins who haven't accepted an invitation get no information about the company
    .where('deleted_at', 'is', null)
    .execute();
  const languages = await languagesOf(
    tx,
    admins.map(({ id }) => id),
  );
  const mails = admins.map(({ id, name, email: to, user_id: userId }): Mail => {
    const language = languages.get(id) ?? defaultLanguage;
    const token = links.token({ company_id: companyId, installation_id: installationId, user_id: userId! });
    const values = { name, company, app, link: `${baseUrl}/oauth/installation/${token}`, daysValid: validDays };
    if (demoted === undefined) return { template: 'installer_left', to, language, values };
    const about = { ...values, person: demoted, isSuspended: suspendedAt !== null };
    return { template: 'installer_demoted', to, language, values: about };
  });
  await mail.queueOfCompany(tx, mails);
}

type FoundInstallation = NonNullable<Awaited<ReturnType<typeof findInstallation>>>;

export async function findInstallation(tenant: Tenant, id: string) {
  const row = await tenant.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .select(['g.client_id', 'c.name as app', 'g.user_id', 'g.suspended_at'])
    .where('g.id', '=', id)
    .where('g.installation_role', 'is not', null)
    .where('g.revoked_at', 'is', null)
    .where(sql<boolean>`g.company_ids @> array[${tenant.company_id}::uuid]`)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name: company } = await tenant.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', tenant.company_id)
    .executeTakeFirstOrThrow();
  return { ...row, company, demoted: await nameOfDemoted(tenant, row.user_id) };
}

/** @returns undefined if they have left, or are an admin */
async function nameOfDemoted(tenant: Tenant, userId: string): Promise<string | undefined> {
  const person = await tenant
    .selectFrom('collaborators')
    .select('name')
    .where('user_id', '=', userId)
    .where('status', '=', sql.lit('active'))
    .where('role', '<>', sql.lit('admin'))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return person?.name;
}
