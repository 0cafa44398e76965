/**
 * Handles role changes of an app's installer: on a demotion the admins are asked, and an installation with a higher role than its
 * installer is suspended until another admin confirms it.
 */
import { sql } from 'kysely';
import { actorOfResult } from '../../identity/installations/installation-names.ts';
import type { Role } from '../../identity/members/member.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { limitsOf } from '../access/installation-limits.ts';
import { queueForInstallations } from './installation-jobs.ts';

const ranks: Record<Role, number> = { employee: 0, manager: 1, admin: 2 };

interface Move {
  from: Role;
  to: Role;
}

export async function followInstaller(
  tx: TenantTransaction,
  actor: { user_id: string | null },
  userId: string,
  { from, to }: Move,
): Promise<void> {
  const isDemoted = ranks[to] < ranks[from];
  // Serializes with installations in progress (`consent.ts`).
  if (from === 'admin')
    await tx.global.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const installations = await tx.global
    .selectFrom('oauth_grants')
    .select(['id', 'client_id', 'installation_role', 'suspended_at'])
    .where('user_id', '=', userId)
    .where('installation_role', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`company_ids @> array[${tx.company_id}::uuid]`)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (installations.length === 0) return;
  const isAbove = (role: string | null) => ranks[role as Role] > ranks[to];
  if (isDemoted) {
    const above = installations.filter((each) => each.suspended_at === null && isAbove(each.installation_role));
    await requestAdminApproval(tx, idsOf(installations));
    await setSuspended(tx, actor, above, { suspended_at: new Date().toISOString() }, 'app.suspended');
    return;
  }
  // A role given by an installation doesn't confirm another installation.
  if (await limitsOf(tx, actor.user_id)) return;
  const resumed = installations.filter((each) => each.suspended_at !== null && !isAbove(each.installation_role));
  const cleared = { suspended_at: null, confirmation_requested_at: null };
  await setSuspended(tx, actor, resumed, cleared, 'app.resumed');
}

/** @returns those who have installed an app that still runs */
export async function installersAmong(tx: TenantTransaction, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const found = await tx.global
    .selectFrom('oauth_grants')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('installation_role', 'is not', null)
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(found.map(({ user_id: userId }) => userId));
}

export async function requestAdminApproval(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  await tx.global
    .updateTable('oauth_grants')
    .set({ confirmation_requested_at: sql<string>`coalesce(confirmation_requested_at, statement_timestamp())` })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  await queueForInstallations(tx, 'requestInstallationApproval', ids);
}

interface Installation {
  id: string;
  client_id: string;
}

async function setSuspended(
  tx: TenantTransaction,
  actor: { user_id: string | null },
  installations: readonly Installation[],
  set: { suspended_at: string | null; confirmation_requested_at?: null },
  action: 'app.suspended' | 'app.resumed',
): Promise<void> {
  if (installations.length === 0) return;
  const ids = idsOf(installations);
  await tx.global.updateTable('oauth_grants').set(set).where('id', '=', sql<string>`any(${ids}::text[])`).execute();
  await notifyAccessChanged(tx.raw, ...ids.map((grantId) => ({ grant_id: grantId })));
  await queueForInstallations(tx, 'followInstallations', ids);
  const by = await actorOfResult(tx, actor.user_id);
  for (const { id, client_id: clientId } of installations)
    recordAudit(tx, { action, actor: by, target: { type: 'connection', id }, details: { client_id: clientId } });
}

function idsOf(installations: readonly Installation[]): string[] {
  return installations.map(({ id }) => id);
}
