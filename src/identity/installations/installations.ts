/**
 * Installations: what an admin allowed an app for the company instead of for themselves. Such a grant is for one company and has a
 * role of its own, which nobody's promotion changes, and it goes on when the person leaves. Its id is who it is.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/** Those that have something to reach: an employee is a person. */
export const installationRoles = ['admin', 'manager'] as const;

export type InstallationRole = (typeof installationRoles)[number];

export function isInstallationRole(text: string): text is InstallationRole {
  return (installationRoles as readonly string[]).includes(text);
}

/** Whether a grant is an installation. */
export async function isInstallation(db: Database, grantId: string): Promise<boolean> {
  const row = await db.global
    .selectFrom('oauth_grants')
    .select('installation_role')
    .where('id', '=', grantId)
    .executeTakeFirst();
  return Boolean(row?.installation_role);
}

/** The role that an installation has in its company; undefined when there is none of this id, or it has ended or is suspended. */
export async function roleOfInstallation(tenant: Tenant, id: string): Promise<InstallationRole | undefined> {
  const row = await tenant.global
    .selectFrom('oauth_grants')
    .select(['installation_role', 'company_ids'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  const role = row?.company_ids.includes(tenant.company_id) ? row.installation_role : undefined;
  return (role as InstallationRole | null) ?? undefined;
}

/** @returns the user who installed it, or answers for it since; undefined when the id is that of a user, or of nobody */
export async function installerOf(tenant: Tenant, id: string | null): Promise<string | undefined> {
  if (id === null) return undefined;
  const row = await tenant.global
    .selectFrom('oauth_grants')
    .select('user_id')
    .where('id', '=', id)
    .where('installation_role', 'is not', null)
    .executeTakeFirst();
  return row?.user_id;
}
