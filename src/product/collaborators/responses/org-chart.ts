/** One level of the org chart: the top of the caller's reach, or the direct reports of a manager. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Member, Viewer } from '../../../identity/members/member.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { scopeOf, visibility } from '../../access/permissions.ts';
import { findCollaborator } from '../../access/records.ts';
import { type CollaboratorQuery, matchingCollaborators } from '../list/collaborator-filters.ts';
import { after, fewFirst, ordered, positionColumn, sortKeys } from '../list/list-order.ts';
import { avatarLink } from './collaborator-response.ts';

type OrgChartNode = components['schemas']['OrgChartNode'];

interface Level {
  /** Undefined for the top. */
  manager_id: string | undefined;
  has_reports: boolean | undefined;
}

const keys = sortKeys('name');
const columns = ['id', 'name', 'position', 'department', 'status', 'manager_id', 'avatar_key'] as const;

/** @param total of `countLevel` @param cursor list position of the last row of the previous page */
export function levelOf(
  tenant: Tenant,
  member: Member,
  level: Level,
  total: number,
  limit: number,
  cursor?: readonly unknown[],
) {
  const people = fewFirst(tenant, total, () => peopleOf(tenant, member, level));
  return ordered(people, keys)
    .$if(cursor !== undefined, (query) => query.where(after(keys, cursor as unknown[])))
    .select(columns)
    .select(positionColumn(keys).as('list_position'))
    .limit(limit)
    .execute();
}

type LevelRow = Omit<Awaited<ReturnType<typeof levelOf>>[number], 'list_position'>;

export async function countLevel(tenant: Tenant, member: Member, level: Level): Promise<number> {
  return countRows(peopleOf(tenant, member, level));
}

/** The maximum of a page. */
const maxDepth = 100;

/** The managers above a person within the member's reach, top first, and the person; empty if the person is out of reach. */
export async function pathTo(tenant: Tenant, member: Member, id: string): Promise<LevelRow[]> {
  const scope = scopeOf(visibility, member);
  const person = await findCollaborator(tenant, member, scope, id);
  if (!person) return [];
  const top = scope === 'all' ? null : member.collaborator_id;
  const { company_id: companyId } = tenant;
  const { rows } = await sql<LevelRow>`
    with recursive path as (
      select id, name, position, department, status, manager_id, avatar_key, 1 as depth from collaborators
      where company_id = ${companyId} and id = ${person.id}
      union
      select m.id, m.name, m.position, m.department, m.status, m.manager_id, m.avatar_key, path.depth + 1
      from collaborators m join path on m.id = path.manager_id
      where m.company_id = ${companyId} and m.deleted_at is null and path.id is distinct from ${top}
        and path.depth < ${maxDepth}
    )
    select id, name, position, department, status, manager_id, avatar_key from path order by depth desc`.execute(
    tenant.raw,
  );
  return rows;
}

export async function nodesOf(
  rows: readonly LevelRow[],
  { tenant, member, files }: Viewer & { tenant: Tenant },
): Promise<OrgChartNode[]> {
  const counts = await teamCounts(
    tenant,
    member,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, position, department, status, manager_id: managerId, avatar_key: avatarKey }) => ({
    id,
    name,
    position,
    department,
    status: status as OrgChartNode['status'],
    manager_id: managerId,
    avatar_url: avatarKey && avatarLink(files.links, tenant.company_id, avatarKey),
    ...(counts.get(id) ?? { reports_count: 0, team_count: 0 }),
  }));
}

/** A member who reaches only their team is at its top. */
function peopleOf(
  tenant: Tenant,
  member: Member,
  { manager_id: managerId, has_reports: hasReportsFilter }: Level,
): CollaboratorQuery {
  const reachesAll = scopeOf(visibility, member) === 'all';
  const isTop = reachesAll ? sql<boolean>`manager_id is null` : sql<boolean>`id = ${member.collaborator_id}`;
  return matchingCollaborators(tenant, member, { manager_id: managerId })
    .$if(managerId === undefined, (query) => query.where(isTop))
    .$if(hasReportsFilter !== undefined, (query) =>
      query.where(hasReportsFilter ? hasReports(tenant, member) : sql<boolean>`not ${hasReports(tenant, member)}`),
    );
}

function hasReports({ company_id: companyId }: Tenant, member: Member): Expression<SqlBool> {
  if (!reachesReports(member)) return sql<boolean>`false`;
  return sql<boolean>`exists (
    select 1 from collaborators report
    where report.company_id = ${companyId} and report.manager_id = collaborators.id and report.deleted_at is null
  )`;
}

function reachesReports(member: Member): boolean {
  return scopeOf(visibility, member) !== 'self';
}

type TeamCounts = Pick<OrgChartNode, 'reports_count' | 'team_count'>;

async function teamCounts(tenant: Tenant, member: Member, ids: readonly string[]): Promise<Map<string, TeamCounts>> {
  if (ids.length === 0 || !reachesReports(member)) return new Map();
  const { company_id: companyId } = tenant;
  const { rows } = await sql<TeamCounts & { top_id: string }>`
    with recursive team as (
      select manager_id as top_id, id, 1 as depth from collaborators
      where company_id = ${companyId} and manager_id = any(${ids}::uuid[]) and deleted_at is null
      union
      select team.top_id, below.id, 2 from collaborators below join team on below.manager_id = team.id
      where below.company_id = ${companyId} and below.deleted_at is null
    )
    select top_id, count(*) filter (where depth = 1) as reports_count, count(*) as team_count
    from team group by top_id`.execute(tenant.raw);
  return new Map(rows.map(({ top_id: topId, ...counts }) => [topId, counts]));
}
