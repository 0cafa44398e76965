/**
 * Installations: apps that an admin authorized for the company. Such a grant has its own role and outlasts the admin. Its id
 * identifies the app as an actor.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/** Employees are excluded, because that role only reaches a person's own record. */
export const installationRoles = ['admin', 'manager'] as const;

export type InstallationRole = (typeof installationRoles)[number];

export function isInstallationRole(text: string): text is InstallationRole {
  return (installationRoles as readonly string[]).includes(text);
}

export async function isInstallation(db: Database, grantId: string): Promise<boolean> {
  const row = await db.global
    .selectFrom('oauth_grants')
    .select('installation_role')
    .where('id', '=', grantId)
    .executeTakeFirst();
  return Boolean(row?.installation_role);
}

/** The role of an active installation in its company; undefined if it doesn't exist, has ended, or is suspended. */
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

/** @returns the user responsible for the installation; undefined when the id isn't an installation's */
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
