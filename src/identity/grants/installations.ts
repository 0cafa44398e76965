/**
 * Installations: what an admin allowed an app for the company instead of for themselves. Such a grant is for one company and has a
 * role of its own, which nobody's promotion changes, and it goes on when the person leaves. Its id is who it is.
 */
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { type InstallationRole, installation_roles } from '../tokens/installation-role.ts';

export function isInstallationRole(text: string): text is InstallationRole {
  return (installation_roles as readonly string[]).includes(text);
}

/** Whether a grant is an installation. */
export async function isInstallation(db: Database, grant_id: string): Promise<boolean> {
  const row = await db.global
    .selectFrom('oauth_grants')
    .select('installation_role')
    .where('id', '=', grant_id)
    .executeTakeFirst();
  return Boolean(row?.installation_role);
}

/** The role that an installation has in its company; undefined when there is none of this id, or it has ended. */
export async function roleOfInstallation(tenant: Tenant, id: string): Promise<InstallationRole | undefined> {
  const row = await tenant.global
    .selectFrom('oauth_grants')
    .select(['installation_role', 'company_ids'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const role = row?.company_ids.includes(tenant.company_id) ? row.installation_role : undefined;
  return (role as InstallationRole | null) ?? undefined;
}
