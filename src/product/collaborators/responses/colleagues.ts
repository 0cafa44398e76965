/**
 * The people directory: a few fields of active people, visible to everyone in the company. It is separate from the list of
 * collaborators, so that a filter, order, or field added there reveals nothing here.
 */
import { sql } from 'kysely';
import type { components, operations } from '../../../../generated/api.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { FileLinks } from '../../../platform/files/links.ts';
import { type CollaboratorQuery, containing, withSearchKeys } from '../list/collaborator-filters.ts';
import { after, fewFirst, ordered, positionColumn, sortKeys } from '../list/list-order.ts';
import { avatarLink } from './collaborator-response.ts';

type Colleague = components['schemas']['Colleague'];
type Query = NonNullable<operations['listColleagues']['parameters']['query']>;
type Filters = Pick<Query, 'search' | 'department' | 'location'>;

const columns = ['name', 'position', 'department', 'location', 'email', 'avatar_key'] as const;
const keys = sortKeys('name');

/** @param total of `countColleagues` @param cursor list position of the last row of the previous page */
export function listColleagueResponses(
  tenant: Tenant,
  filters: Filters,
  total: number,
  limit: number,
  cursor?: readonly unknown[],
) {
  return ordered(
    fewFirst(tenant, total, (walksSortIndex) => colleagues(tenant, filters, walksSortIndex)),
    keys,
  )
    .$if(cursor !== undefined, (query) => query.where(after(keys, cursor as unknown[])))
    .select(columns)
    .select(positionColumn(keys).as('list_position'))
    .limit(limit)
    .execute();
}

export async function countColleagues(tenant: Tenant, filters: Filters): Promise<number> {
  return countRows(colleagues(tenant, filters));
}

type ColleagueRow = Awaited<ReturnType<typeof listColleagueResponses>>[number];

/** Copies field by field, so that no other column can leak. */
export function colleagueResponse(row: ColleagueRow, { company_id: companyId }: Tenant, links: FileLinks): Colleague {
  const { name, position, department, location, email, avatar_key: avatarKey } = row;
  return {
    name,
    position,
    department,
    location,
    email,
    avatar_url: avatarKey && avatarLink(links, companyId, avatarKey),
  };
}

/** `search_text` holds name, email, and position. */
function colleagues(
  tenant: Tenant,
  { search, department, location }: Filters,
  walksSortIndex = false,
): CollaboratorQuery {
  return (tenant.selectFrom('collaborators') as unknown as CollaboratorQuery)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .$if(department !== undefined, (query) => query.where(sql`lower(department)`, '=', sql`lower(${department})`))
    .$if(location !== undefined, (query) => query.where(sql`lower(location)`, '=', sql`lower(${location})`))
    .$if(search !== undefined, (query) => query.where(sql`search_text`, 'like', containing(search!)))
    .$if(search !== undefined && !walksSortIndex, (query) => withSearchKeys(tenant, query, search!));
}
