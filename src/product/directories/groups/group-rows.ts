/** Reads groups of a directory and builds their SCIM representation. */
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type { DirectoryGroups } from '../../../../generated/db.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { isId } from '../../access/records.ts';
import { schemas } from '../attributes.ts';
import type { Filterable } from '../filter.ts';
import type { ScimResource } from '../scim-resource.ts';

const groupColumns = [
  'id',
  'display_name',
  'external_id',
  'role',
  'revision',
  'created_at',
  'updated_at',
] as const satisfies (keyof DirectoryGroups)[];

export type GroupRow = Pick<Selectable<DirectoryGroups>, (typeof groupColumns)[number]>;

interface MemberRow {
  group_id: string;
  id: string;
}

function groups(tenant: Tenant, directoryId: string) {
  return tenant.selectFrom('directory_groups as g').where('g.directory_id', '=', directoryId);
}

const selected = groupColumns.map((name) => `g.${name}` as const);

/** @returns undefined for an unknown group @param id as sent by the client */
export async function findGroup(tenant: Tenant, directoryId: string, id: string): Promise<GroupRow | undefined> {
  if (!isId(id)) return undefined;
  return groups(tenant, directoryId).select(selected).where('g.id', '=', id.toLowerCase()).executeTakeFirst();
}

interface GroupsQuery {
  condition: Expression<SqlBool> | undefined;
  start_index: number;
  count: number;
}

/** By name. @returns one page of groups, and the total */
export async function listGroups(
  tenant: Tenant,
  directoryId: string,
  { condition, start_index: startIndex, count }: GroupsQuery,
): Promise<{ rows: GroupRow[]; total: number }> {
  const matching = groups(tenant, directoryId).$if(condition !== undefined, (found) => found.where(condition!));
  const total = await countRows(matching);
  if (count === 0) return { rows: [], total };
  const page = matching.select(selected).orderBy(sql`lower(g.display_name)`).orderBy('g.id');
  return {
    rows: await page
      .limit(count)
      .offset(startIndex - 1)
      .execute(),
    total,
  };
}

export async function membersOf(tenant: Tenant, directoryId: string, ids: readonly string[]): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  return tenant
    .selectFrom('directory_members as m')
    .innerJoin('directory_people as p', (join) =>
      join.onRef('p.company_id', '=', 'm.company_id').onRef('p.collaborator_id', '=', 'm.collaborator_id'),
    )
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'm.company_id').onRef('c.id', '=', 'm.collaborator_id'),
    )
    .select(['m.group_id', 'm.collaborator_id as id'])
    .where('m.group_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('p.directory_id', '=', directoryId)
    .where('p.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .orderBy('m.collaborator_id')
    .execute();
}

export function groupVersion({ revision }: GroupRow): string {
  return `W/"${revision}"`;
}

/** SCIM representation (RFC 7643, section 4.2). @param members undefined to omit them */
export function groupResponse(
  group: GroupRow,
  members: readonly MemberRow[] | undefined,
  scimUrl: string,
): ScimResource {
  return {
    schemas: [schemas.group],
    id: group.id,
    ...(group.external_id !== null && { externalId: group.external_id }),
    displayName: group.display_name,
    ...(members && {
      members: members.map(({ id }) => ({ value: id, $ref: `${scimUrl}/Users/${id}`, type: 'User' })),
    }),
    meta: {
      resourceType: 'Group',
      created: group.created_at,
      lastModified: group.updated_at,
      location: `${scimUrl}/Groups/${group.id}`,
      version: groupVersion(group),
    },
  };
}

export const filterableGroups: Filterable = {
  attributes: {
    id: { kind: 'text', column: sql`g.id::text`, isId: (id) => sql`g.id = ${id}::uuid` },
    externalid: { kind: 'exact', column: sql`g.external_id` },
    displayname: { kind: 'text', column: sql`g.display_name` },
    'meta.created': { kind: 'time', column: sql`g.created_at` },
    'meta.lastmodified': { kind: 'time', column: sql`g.updated_at` },
  },
  lists: {
    members: sql`(
      select jsonb_agg(jsonb_build_object('value', m.collaborator_id)) from directory_members m
      where m.company_id = g.company_id and m.group_id = g.id)`,
  },
  has: {
    members: (id) => sql`exists (
      select from directory_members m
      where m.company_id = g.company_id and m.group_id = g.id and m.collaborator_id = ${id}::uuid)`,
  },
};
