/** Which collaborators a caller may see: the whole company, their team, or themselves. */
import { type Selectable, sql } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import type { RecordScope } from '../../contract/contract.ts';
import type { Member } from '../../identity/members/member.ts';
import { pointRead } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { scopeOf, visibility } from './permissions.ts';

export const visibleColumns = [
  'id',
  'name',
  'email',
  'phone',
  'position',
  'department',
  'status',
  'role',
  'hire_date',
  'termination_date',
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
  'custom_fields',
  'avatar_key',
  'emergency_contact',
  'managed_by',
  'managed_fields',
  'created_at',
  'updated_at',
] as const satisfies (keyof Collaborators)[];

export type VisibleRow = Pick<Selectable<Collaborators>, (typeof visibleColumns)[number]>;

/** For lists, which may contain deleted people. */
export const listedColumns = [...visibleColumns, 'deleted_at'] as const;

export type ListedRow = Pick<Selectable<Collaborators>, (typeof listedColumns)[number]>;

export const internalColumns = [
  'deleted_at',
  'user_id',
  'status_since',
  'status_reason',
  'status_changed_by',
  'accepted_at',
  'revision',
] as const satisfies (keyof Collaborators)[];

export const collaboratorColumns = [...visibleColumns, ...internalColumns] as const;

export type CollaboratorRow = Pick<Selectable<Collaborators>, (typeof collaboratorColumns)[number]>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids are UUIDs but opaque to clients, so any other string is an unknown id. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

const readAny = pointRead((tenant: Tenant, id: string) =>
  tenant.selectFrom('collaborators').select(collaboratorColumns).where('id', '=', id),
);
const readPresent = pointRead((tenant: Tenant, id: string) =>
  tenant.selectFrom('collaborators').select(collaboratorColumns).where('id', '=', id).where('deleted_at', 'is', null),
);
const readAnyBelow = pointRead((tenant: Tenant, id: string, managerId: string) =>
  tenant
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', id)
    .where(hasManagerAbove(tenant, id, managerId)),
);
const readPresentBelow = pointRead((tenant: Tenant, id: string, managerId: string) =>
  tenant
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(hasManagerAbove(tenant, id, managerId)),
);

/**
 * @param deleted whether to find deleted ones too
 * @returns undefined if missing or out of reach, which callers can't distinguish
 */
export async function findCollaborator(
  tenant: Tenant,
  member: Member,
  scope: RecordScope,
  id: string,
  deleted = false,
): Promise<CollaboratorRow | undefined> {
  if (!isId(id) || scope === 'none' || scope === 'directory') return undefined; // a directory has no records
  const { collaborator_id: self } = member;
  const isSelf = id.toLowerCase() === self;
  if (scope === 'self' && !isSelf) return undefined;
  const [row] =
    scope === 'team' && !isSelf
      ? await (deleted ? readAnyBelow : readPresentBelow)(tenant, id, self)
      : await (deleted ? readAny : readPresent)(tenant, id);
  return row;
}

export async function reportsTo(tenant: Tenant, id: string, managerId: string): Promise<boolean> {
  return (await readBelow(tenant, id, managerId)).length > 0;
}

const readBelow = pointRead((tenant: Tenant, id: string, managerId: string) =>
  tenant
    .selectFrom('collaborators')
    .select('id')
    .where('id', '=', id)
    .where(hasManagerAbove(tenant, id, managerId)),
);

/** Climbs the chain of managers, which is short: this runs for nearly every request of a manager. */
function hasManagerAbove({ company_id: companyId }: Tenant, id: string, managerId: string) {
  return sql<boolean>`exists (
    with recursive chain as (
      select manager_id from collaborators where company_id = ${companyId} and id = ${id}
      union
      select above.manager_id from collaborators above join chain on above.id = chain.manager_id
      where above.company_id = ${companyId}
    )
    select 1 from chain where manager_id = ${managerId})`;
}

/** Ids of a manager's team: the manager and everyone below. For `id in (…)`. */
export function teamOf(tenant: Tenant, managerId: string) {
  const { company_id: companyId } = tenant;
  return sql<string>`(
    with recursive team as (
      select id from collaborators where company_id = ${companyId} and id = ${managerId}
      union
      select below.id from collaborators below join team on below.manager_id = team.id
      where below.company_id = ${companyId} and below.deleted_at is null
    )
    select id from team)`;
}

export async function reachableUsers(
  tenant: Tenant,
  member: Member,
  userIds: readonly (string | null)[],
): Promise<Map<string, { collaborator_id: string; name: string }>> {
  const scope = scopeOf(visibility, member);
  const validIds = [...new Set(userIds)].filter((id) => id !== null && isId(id));
  if (validIds.length === 0 || scope === 'none') return new Map();
  const people = await tenant
    .selectFrom('collaborators')
    .select(['id', 'user_id', 'name'])
    .where('user_id', '=', sql<string>`any(${validIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$if(scope === 'self', (query) => query.where('id', '=', member.collaborator_id))
    .$if(scope === 'team', (query) => query.where('id', 'in', teamOf(tenant, member.collaborator_id)))
    .execute();
  return new Map(people.map(({ id, user_id: userId, name }) => [userId!, { collaborator_id: id, name }]));
}
