/** The filters of lists, as conditions on collaborators. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { operations } from '../../../../generated/api.ts';
import type { DB } from '../../../../generated/db.ts';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Member, Viewer } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { momentOf } from '../../../platform/values/moments.ts';
import { scopeOf, visibility } from '../../access/permissions.ts';
import { isId, teamOf } from '../../access/records.ts';
import { conditionOf, type FieldCondition, fieldConditions } from '../../custom-fields/listed-fields.ts';

type Query = NonNullable<operations['listCollaborators']['parameters']['query']>;

const filterNames = [
  'status',
  'role',
  'department',
  'location',
  'email',
  'external_id',
  'employee_number',
  'manager_id',
  'reports',
  'has_manager',
  'search',
  'updated_since',
  'include_deleted',
] as const satisfies (keyof Query)[];

export type Filters = Pick<Query, (typeof filterNames)[number]> & {
  custom_fields?: readonly FieldCondition[] | undefined;
};

export type CollaboratorQuery = SelectQueryBuilder<DB, 'collaborators', object>;

/**
 * Extracts the filters in a fixed order, so that equal filters are equal for counts and cursors.
 * @throws 400 `invalid_parameter` for `reports` without `manager_id`, and for custom fields the reader may not read; 401
 */
export function filtersOf(query: Query, reader: Pick<Viewer, 'caller' | 'member'>): Filters {
  if (query.reports !== undefined && query.manager_id === undefined) {
    const error = { code: 'required', message: t`This parameter is required with reports.` };
    const message = t`The parameter reports requires manager_id, which is missing.`;
    throw new Problem(400, 'invalid_parameter', message, { details: { manager_id: [error] } });
  }
  const filters = Object.fromEntries(filterNames.map((name) => [name, query[name]])) as Filters;
  const customConditions = fieldConditions(query.custom_fields, reader);
  return customConditions ? { ...filters, custom_fields: customConditions } : filters;
}

/** The same with values normalized for statements. */
export function comparable({ manager_id: managerId, updated_since: updatedSince, ...others }: Filters): Filters {
  return {
    ...others,
    manager_id: managerId === undefined || isId(managerId) ? managerId : nilUuid,
    updated_since: updatedSince && momentOf(updatedSince).toISOString(),
  };
}

export function matchingCollaborators(tenant: Tenant, member: Member, filters: Filters): CollaboratorQuery {
  return collaboratorsLike(tenant, member, comparable(filters));
}

/**
 * The shape depends only on which values are given, not on the values or the member's id, so one statement serves all of them.
 * @param walksSortIndex walks the sort index instead of using the search index: faster with many matches, because it ends early
 */
export function collaboratorsLike(
  tenant: Tenant,
  member: Member,
  filters: Filters,
  walksSortIndex = false,
): CollaboratorQuery {
  const {
    status,
    role,
    department,
    location,
    email,
    external_id: externalId,
    employee_number: employeeNumber,
  } = filters;
  const {
    manager_id: managerId,
    has_manager: hasManager,
    search,
    updated_since: updatedSince,
    include_deleted: includeDeleted,
  } = filters;
  const reach = scopeOf(visibility, member);
  const self = member.collaborator_id;
  return (tenant.selectFrom('collaborators') as unknown as CollaboratorQuery)
    .$if(!includeDeleted, (query) => query.where('deleted_at', 'is', null))
    .$if(reach === 'team', (query) => query.where('id', 'in', teamOf(tenant, self)))
    .$if(reach === 'self', (query) => query.where('id', '=', self))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(role !== undefined, (query) => query.where('role', '=', sql.lit(role!))) // a partial index by role
    .$if(department !== undefined, (query) => query.where(sql`lower(department)`, '=', sql`lower(${department})`))
    .$if(location !== undefined, (query) => query.where(sql`lower(location)`, '=', sql`lower(${location})`))
    .$if(email !== undefined, (query) => query.where(hasAddress(tenant, email!, includeDeleted)))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId!))
    .$if(employeeNumber !== undefined, (query) => query.where('employee_number', '=', employeeNumber!))
    .$if(managerId !== undefined, (query) => query.where(reportsToManager(tenant, member, managerId!, filters.reports)))
    .$if(hasManager !== undefined, (query) => query.where('manager_id', hasManager ? 'is not' : 'is', null))
    .$if(search !== undefined, (query) => query.where(searchText, 'like', containing(search!)))
    .$if(search !== undefined && !walksSortIndex, (query) => withSearchKeys(tenant, query, search!))
    .$if(filters.custom_fields !== undefined, (query) =>
      filters.custom_fields!.reduce((narrowed, each) => narrowed.where(conditionOf(each)), query),
    )
    .$if(updatedSince !== undefined, (query) => query.where('updated_at', '>=', updatedSince!));
}

/** A subquery, because Postgres has no statistics for lower-case addresses, and would walk the sort index of a large company. */
function hasAddress(tenant: Tenant, email: string, includeDeleted = false): Expression<SqlBool> {
  const hasEmail = sql<boolean>`lower(email) = lower(${email})`;
  if (includeDeleted) return hasEmail; // no index covers deleted people
  const found = tenant.selectFrom('collaborators').select('id').where(hasEmail).where('deleted_at', 'is', null);
  return sql<boolean>`id = any(array(${found}))`;
}

/** Indirect reports require that the member may see the manager; otherwise they could find out who their own superiors are. */
function reportsToManager(
  tenant: Tenant,
  member: Member,
  managerId: string,
  depth: Filters['reports'] = 'direct',
): Expression<SqlBool> {
  if (depth === 'direct') return sql<boolean>`manager_id = ${managerId}`;
  const below = sql<boolean>`manager_id in ${teamOf(tenant, managerId)}`;
  const self = member.collaborator_id;
  switch (scopeOf(visibility, member)) {
    case 'all':
      return below;
    case 'team':
      return sql<boolean>`(${below} and ${managerId}::uuid in ${teamOf(tenant, self)})`;
    default:
      return sql<boolean>`(${below} and ${managerId}::uuid = ${self}::uuid)`;
  }
}

export function isWholeCompany(member: Member, { status: _, ...others }: Filters): boolean {
  return isUnfiltered(member, others);
}

/** Nearly everybody has this role, so the others are counted, by an index. */
export function isAllEmployees(member: Member, { role, ...others }: Filters): boolean {
  return role === 'employee' && isUnfiltered(member, others);
}

export function isUnfiltered(member: Member, { include_deleted: includeDeleted, ...filters }: Filters): boolean {
  return (
    scopeOf(visibility, member) === 'all' &&
    !includeDeleted &&
    Object.values(filters).every((value) => value === undefined)
  );
}

const searchText = sql<string>`search_text`;
/** The same expression as in the index. */
const searchKeys = sql<string[]>`search_keys(company_id, search_text)`;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** An escaped `like` pattern for a substring. A subquery, because a cached plan would otherwise compute it per row. */
export function containing(term: string): RawBuilder<string> {
  return sql<string>`(select '%' || regexp_replace(search_form(${term}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** Narrows a search by its index, which `containing` doesn't use. */
export function withSearchKeys(tenant: Tenant, query: CollaboratorQuery, term: string): CollaboratorQuery {
  return query
    .where(searchKeys, '@>', termKeys(tenant, term))
    .where(searchKeys, '@>', firstTermKey(tenant, term))
    .where(searchKeys, '@>', firstTermKey(tenant, term));
}

function termKeys(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`search_term_keys(${tenant.company_id}, search_form(${term}))`;
}

/** An extra condition, used twice to lower Postgres's row estimate; otherwise it scans the company's whole list. */
function firstTermKey(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`(${termKeys(tenant, term)})[1:1]`;
}
