import { sql } from 'kysely';
import type { Member } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../access/permissions.ts';
import { teamOf } from '../access/records.ts';

/** Invitations of people in the member's reach, earliest expiry first. */
export async function openInvitations(
  tenant: Tenant,
  member: Member,
  before: Date | undefined,
  count: number,
  after: [expiresAt: string, id: string] | undefined,
) {
  const isOfTeam = scopeOf(visibility, member) !== 'all';
  return tenant
    .selectFrom('invitations')
    .innerJoin('collaborators', (join) =>
      join
        .onRef('collaborators.company_id', '=', 'invitations.company_id')
        .onRef('collaborators.id', '=', 'invitations.collaborator_id'),
    )
    .select([
      'invitations.id',
      'invitations.collaborator_id',
      'collaborators.name',
      'collaborators.email',
      'invitations.sent_at',
      'invitations.expires_at',
    ])
    .where('invitations.state', '=', 'sent')
    .where('invitations.expires_at', '>', sql<string>`now()`)
    .where('collaborators.deleted_at', 'is', null)
    .$if(isOfTeam, (query) => query.where('collaborators.id', 'in', teamOf(tenant, member.collaborator_id)))
    .$if(before !== undefined, (query) => query.where('invitations.expires_at', '<', before!.toISOString()))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(invitations.expires_at, invitations.id) > (${after![0]}::timestamptz, ${after![1]}::uuid)`,
      ),
    )
    .orderBy('invitations.expires_at')
    .orderBy('invitations.id')
    .limit(sql.lit(count))
    .execute();
}
