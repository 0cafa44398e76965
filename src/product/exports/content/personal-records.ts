/** Records shown only in an export of personal data: invitations, audit entries, and apps with access. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { auditViews, newestAuditEntries } from '../../audit/audit-list.ts';
import { pages } from './person-records.ts';

type Entry = components['schemas']['AuditEntry'];

/** Newest first, without their secrets. */
export async function invitationsOf(snapshot: TenantSnapshot, collaboratorId: string) {
  return snapshot
    .selectFrom('invitations')
    .select(['id', 'state', 'sent_at', 'expires_at', 'sent_by'])
    .where('collaborator_id', '=', collaboratorId)
    .orderBy('sent_at', 'desc')
    .execute();
}

export async function savedViewsOf(snapshot: TenantSnapshot, collaboratorId: string) {
  return snapshot
    .selectFrom('saved_views')
    .select(['name', 'filters', 'sort', 'columns', 'created_at', 'updated_at'])
    .where('collaborator_id', '=', collaboratorId)
    .orderBy('created_at')
    .execute();
}

/** The user's actions in this company, and their sign-ins. The people affected are identified by id only. */
export async function* auditBy(snapshot: TenantSnapshot, userId: string): AsyncGenerator<object[]> {
  for await (const rows of entries(snapshot, { actor_id: userId })) {
    yield (await auditViews(snapshot, rows)).map(withoutTargetName);
  }
}

function withoutTargetName({ target, ...entry }: Entry) {
  return { ...entry, target: target && { type: target.type, id: target.id } };
}

/** Others' actions about the person. The actors are identified by id only. */
export async function* auditAbout(
  snapshot: TenantSnapshot,
  { id, user_id: userId }: Pick<CollaboratorRow, 'id' | 'user_id'>,
): AsyncGenerator<object[]> {
  for await (const rows of entries(snapshot, { target_id: id })) {
    const ofOthers = rows.filter(({ actor_id: actorId }) => actorId === null || actorId !== userId);
    yield (await auditViews(snapshot, ofOthers)).map(withoutOthers);
  }
}

function withoutOthers({ ip: _, user_agent: __, actor, ...entry }: Entry) {
  return { ...entry, actor: { type: actor.type, user_id: actor.user_id } };
}

function entries(snapshot: TenantSnapshot, filters: { actor_id?: string; target_id?: string }) {
  return pages(
    (after: string | undefined, count) => newestAuditEntries(snapshot, filters, count, after),
    ({ id }) => id,
  );
}

export async function appsOf(snapshot: TenantSnapshot, userId: string) {
  return snapshot.global
    .selectFrom('oauth_grants')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .select(['oauth_clients.name as name', 'oauth_grants.created_at as since'])
    .where('oauth_grants.user_id', '=', userId)
    .where('oauth_grants.revoked_at', 'is', null)
    .where(sql<boolean>`${snapshot.company_id}::uuid = any(oauth_grants.company_ids)`)
    .orderBy('oauth_grants.created_at', 'desc')
    .execute();
}
