/**
 * An admin's decision, by the link in their mail, after an app's installer has left or was demoted: take it over, or remove it.
 */
import { sql } from 'kysely';
import { languageOfUser } from '../../identity/members/own-language.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { canConfirm, confirmInstallation } from './confirm-installation.ts';
import { findConnection } from './connections.ts';
import { endConnection } from './end-connection.ts';
import type { InstallationLinks } from './installation-links.ts';
import { findInstallation } from './installer-departure.ts';

export type PendingInstallation = NonNullable<Awaited<ReturnType<typeof findPendingInstallation>>>;

/** @returns undefined for an invalid link, an ended app, or a person who may not decide (anymore) */
export async function findPendingInstallation(db: Database, links: InstallationLinks, token: string) {
  const linked = links.open(token);
  if (!linked) return undefined;
  const tenant = db.tenant(linked.company_id);
  const found = await findInstallation(tenant, linked.installation_id);
  if (!found || !(await isAdmin(tenant, linked.user_id))) return undefined;
  const { user_id: installer, ...installation } = found;
  if (!canConfirm({ ...found, id: linked.installation_id }, linked.user_id)) return undefined;
  const language = await languageOfUser(db, linked.user_id);
  return { ...linked, ...installation, installer, language };
}

export async function decide(
  db: Database,
  pending: PendingInstallation,
  decision: 'keep' | 'end',
  origin: Origin,
): Promise<void> {
  const {
    company_id: companyId,
    installation_id: installationId,
    user_id: userId,
    client_id: clientId,
    installer,
    suspended_at: suspendedAt,
  } = pending;
  await db.tenant(companyId).transaction(async (tx) => {
    if (decision === 'end') await endConnection(tx, await findConnection(tx, installationId), userId);
    else await confirmInstallation(tx, { id: installationId, user_id: installer, suspended_at: suspendedAt }, userId);
    recordAudit(tx, {
      action: decision === 'end' ? 'connections.ended' : 'app.kept',
      actor: { type: 'user', user_id: userId },
      origin,
      target: { type: 'connection', id: installationId },
      details: { client_id: clientId },
    });
  });
}

async function isAdmin(tenant: Tenant, userId: string): Promise<boolean> {
  const admin = await tenant
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', userId)
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return admin !== undefined;
}
