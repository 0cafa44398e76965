/** Queries of exported people, with their managers. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Member } from '../../../identity/members/member.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { visibility } from '../../access/permissions.ts';
import { type VisibleRow, visibleColumns } from '../../access/records.ts';
import { matchingCollaborators } from '../../collaborators/list/collaborator-filters.ts';
import type { ExportFilters } from './export-request.ts';

/** Batch size. Larger batches survive garbage collections, and copying them costs much of the time. */
export const peoplePerGroup = 500;

export interface Person extends VisibleRow {
  manager_email: string | null;
  manager_name: string | null;
}

type PeopleQuery = SelectQueryBuilder<DB, 'collaborators', Person>;

/** Everyone in the caller's reach who matches, unordered. */
export function matchingPeople(tenant: Tenant, member: Member, filters: ExportFilters): PeopleQuery {
  return withManager(tenant, member, matchingCollaborators(tenant, member, filters)).select([
    ...visibleColumns,
    'manager_email',
    'manager_name',
  ]) as unknown as PeopleQuery;
}

/** Joins the manager. The caller's own manager is out of their reach, so their own row has none. */
export function withManager<O>(
  tenant: Tenant,
  { role, collaborator_id: collaboratorId }: Member,
  query: SelectQueryBuilder<DB, 'collaborators', O>,
) {
  const manager = tenant
    .selectFrom('collaborators as m')
    .select(['m.email as manager_email', 'm.name as manager_name'])
    .where(sql<boolean>`m.id = collaborators.manager_id`)
    .where('m.deleted_at', 'is', null)
    .$if(visibility[role] !== 'all', (managers) => managers.where(sql<boolean>`collaborators.id <> ${collaboratorId}`));
  return query.leftJoinLateral(manager.as('manager'), (join) => join.onTrue());
}

/** @param max stops counting here */
export async function countPeople(tenant: Tenant, member: Member, filters: ExportFilters, max?: number) {
  const some = matchingCollaborators(tenant, member, filters)
    .select('id')
    .$if(max !== undefined, (query) => query.limit(max!));
  return countRows(tenant.raw.selectFrom(some.as('some')));
}

export const byName: RawBuilder<unknown> = sql`left(search_form(name), 200) collate "C"`;
