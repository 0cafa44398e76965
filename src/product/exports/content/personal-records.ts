/** Records shown only in an export of personal data: invitations, audit entries, and apps with access. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import { directoriesAmong } from '../../../identity/directories/directory-names.ts';
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
    .select(['list', 'name', 'filters', 'sort', 'columns', 'created_at', 'updated_at'])
    .where('collaborator_id', '=', collaboratorId)
    .orderBy('created_at')
    .execute();
}

/** Errors are of requests that a directory refused. Managers are other people, so the profile has their ids. */
export async function directoriesOf(snapshot: TenantSnapshot, collaboratorId: string) {
  const records = await snapshot
    .selectFrom('directory_people')
    .select(['directory_id', 'user_name', 'external_id', 'attributes', 'created_at', 'updated_at', 'removed_at'])
    .where('collaborator_id', '=', collaboratorId)
    .orderBy('created_at')
    .execute();
  const ids = records.map(({ directory_id: id }) => id);
  const names = await directoriesAmong(snapshot, ids);
  const groups = await snapshot
    .selectFrom('directory_members as m')
    .innerJoin('directory_groups as g', (join) =>
      join.onRef('g.company_id', '=', 'm.company_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['g.directory_id', 'g.display_name'])
    .where('m.collaborator_id', '=', collaboratorId)
    .orderBy('g.display_name')
    .execute();
  const errors = await snapshot
    .selectFrom('directory_errors')
    .select(['directory_id', 'subject', 'operation', 'status', 'message', 'occurrences', 'first_at', 'last_at'])
    .where('directory_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return records.map(({ directory_id: id, attributes, ...record }) => {
    const subjects = [collaboratorId, record.user_name, record.external_id].map((each) => each?.toLowerCase());
    return {
      directory: { id, name: names.get(id)?.name ?? null },
      ...record,
      attributes: withoutManager(attributes as object),
      groups: groups.filter((group) => group.directory_id === id).map(({ display_name: name }) => name),
      errors: errors
        .filter((error) => error.directory_id === id && subjects.includes(error.subject.toLowerCase()))
        .map(({ directory_id: _, ...error }) => error),
    };
  });
}

function withoutManager(attributes: object) {
  const filtered = Object.entries(attributes).map(([name, value]) => {
    if (!name.startsWith('urn:') || typeof value !== 'object') return [name, value];
    const { manager: _, ...extension } = value;
    return [name, extension];
  });
  return Object.fromEntries(filtered.filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0));
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
