/** Which collaborators a request is about: those in the caller's reach who match all filters. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { operations } from '../../../../generated/api.ts';
import type { DB } from '../../../../generated/db.ts';
import { say } from '../../../contract/languages/text.ts';
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
  /** By the company's own fields. */
  custom_fields?: readonly FieldCondition[] | undefined;
};

export type CollaboratorQuery = SelectQueryBuilder<DB, 'collaborators', object>;

/**
 * Only the filters, in one order: two requests with the same filters are the same to counts and cursors.
 * @throws 400 `invalid_parameter` for `reports` of nobody, and for fields of the company that the reader does not read; 401
 */
export function filtersOf(query: Query, reader: Pick<Viewer, 'caller' | 'member'>): Filters {
  if (query.reports !== undefined && query.manager_id === undefined) {
    const fault = { code: 'required', message: say`This parameter is required with reports.` };
    const message = say`The parameter reports says which reports of manager_id are meant, which is missing.`;
    throw new Problem(400, 'invalid_parameter', message, { details: { manager_id: [fault] } });
  }
  const filters = Object.fromEntries(filterNames.map((name) => [name, query[name]])) as Filters;
  const ofCompany = fieldConditions(query.custom_fields, reader);
  return ofCompany ? { ...filters, custom_fields: ofCompany } : filters;
}

/** The same with values as statements have them. */
export function comparable({ manager_id: managerId, updated_since: updatedSince, ...others }: Filters): Filters {
  return {
    ...others,
    manager_id: managerId === undefined || isId(managerId) ? managerId : nobody,
    updated_since: updatedSince && momentOf(updatedSince).toISOString(),
  };
}

/** Everyone who is in the caller's reach and matches all filters. */
export function matchingCollaborators(tenant: Tenant, member: Member, filters: Filters): CollaboratorQuery {
  return collaboratorsLike(tenant, member, comparable(filters));
}

/**
 * The same of filters that are `comparable`. Of their values it only asks whether they are given, and of the member's id
 * nothing: so a statement can be kept for all of them.
 * @param along whether the order is walked and each row looked at, instead of asking the index of the search: faster
 *   where many match, because the walk ends when the page is full
 */
export function collaboratorsLike(tenant: Tenant, member: Member, filters: Filters, along = false): CollaboratorQuery {
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
    .$if(role !== undefined, (query) => query.where('role', '=', sql.lit(role!))) // its index is of some roles
    .$if(department !== undefined, (query) => query.where(sql`lower(department)`, '=', sql`lower(${department})`))
    .$if(location !== undefined, (query) => query.where(sql`lower(location)`, '=', sql`lower(${location})`))
    .$if(email !== undefined, (query) => query.where(hasAddress(tenant, email!, includeDeleted)))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId!))
    .$if(employeeNumber !== undefined, (query) => query.where('employee_number', '=', employeeNumber!))
    .$if(managerId !== undefined, (query) => query.where(reportTo(tenant, member, managerId!, filters.reports)))
    .$if(hasManager !== undefined, (query) => query.where('manager_id', hasManager ? 'is not' : 'is', null))
    .$if(search !== undefined, (query) => query.where(searchText, 'like', containing(search!)))
    .$if(search !== undefined && !along, (query) =>
      query
        .where(searchKeys, '@>', termKeys(tenant, search!))
        .where(searchKeys, '@>', firstTermKey(tenant, search!))
        .where(searchKeys, '@>', firstTermKey(tenant, search!)),
    )
    .$if(filters.custom_fields !== undefined, (query) =>
      filters.custom_fields!.reduce((narrowed, each) => narrowed.where(conditionOf(each)), query),
    )
    .$if(updatedSince !== undefined, (query) => query.where('updated_at', '>=', updatedSince!));
}

/**
 * Who has an address. Looked up first: Postgres knows nothing of how different addresses in lower case are, takes them for 200,
 * and would walk the order of a large company until it meets one.
 */
function hasAddress(tenant: Tenant, email: string, includeDeleted = false): Expression<SqlBool> {
  const isTheirs = sql<boolean>`lower(email) = lower(${email})`;
  if (includeDeleted) return isTheirs; // no index has them
  const found = tenant.selectFrom('collaborators').select('id').where(isTheirs).where('deleted_at', 'is', null);
  return sql<boolean>`id = any(array(${found}))`;
}

/**
 * Who reports to a manager. Those at any depth are found only by who may see that manager: everybody else could find out
 * who stands above them.
 */
function reportTo(
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

/** Whether the counts of the company answer for these filters without counting. */
export function isWholeCompany(member: Member, { status: _, ...others }: Filters): boolean {
  return isUnfiltered(member, others);
}

/** Nearly everybody has this role: the others are counted instead, who stand in an index. */
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
/** Stands in the index in the same words. */
const searchKeys = sql<string[]>`search_keys(company_id, search_text)`;
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * The pattern that finds a text anywhere, in the form the search column has. The term's own wildcards are escaped. In a
 * query of its own: otherwise a kept plan makes it anew for each row.
 */
export function containing(term: string): RawBuilder<string> {
  return sql<string>`(select '%' || regexp_replace(search_form(${term}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;
}

/** What a row must have among its keys. */
function termKeys(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`search_term_keys(${tenant.company_id}, search_form(${term}))`;
}

/**
 * Asked for beside all keys, and twice: to look a key up again costs nothing, and each condition lets Postgres expect
 * fewer rows. Otherwise it expects so many that it reads the list of the whole company, only to narrow them down.
 */
function firstTermKey(tenant: Tenant, term: string): RawBuilder<string[]> {
  return sql<string[]>`(${termKeys(tenant, term)})[1:1]`;
}
