/** A directory's people: each has a row beside the collaborator. Deleted collaborators don't exist for the directory either. */
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type { DirectoryPeople } from '../../../../generated/db.ts';
import { countRows } from '../../../platform/db/count-rows.ts';
import { preparedQuery } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { isId } from '../../access/records.ts';
import { type Attributes, schemas } from '../attributes.ts';
import type { Filterable, FilterableAttributes } from '../filter.ts';
import { ScimProblem } from '../scim-problem.ts';

const personColumns = [
  'collaborator_id',
  'user_name',
  'external_id',
  'attributes',
  'awaited_manager',
  'given_role',
  'revision',
  'created_at',
  'updated_at',
  'removed_at',
] as const satisfies (keyof DirectoryPeople)[];

export type DirectoryPerson = Omit<Pick<Selectable<DirectoryPeople>, (typeof personColumns)[number]>, 'attributes'> & {
  attributes: Attributes;
};

export type PersonWithStatus = DirectoryPerson & { status: string; record_revision: number };

export interface GroupOfPerson {
  collaborator_id: string;
  value: string;
  display: string;
}

function people(tenant: Tenant, directoryId: string) {
  return tenant
    .selectFrom('directory_people as p')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.collaborator_id'),
    )
    .where('p.directory_id', '=', directoryId)
    .where('p.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null);
}

const selectedColumns = [
  ...personColumns.map((name) => `p.${name}` as const),
  'c.status' as const,
  'c.revision as record_revision' as const,
];

const findById = preparedQuery((tenant, directoryId: string, id: string) =>
  people(tenant, directoryId).select(selectedColumns).where('p.collaborator_id', '=', id),
);

/** @returns undefined for an unknown person @param id as sent by the client */
export async function findPerson(
  tenant: Tenant,
  directoryId: string,
  id: string,
): Promise<PersonWithStatus | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await findById(tenant, directoryId, id.toLowerCase());
  return row as PersonWithStatus | undefined;
}

interface PeopleQuery {
  condition: Expression<SqlBool> | undefined;
  sort_by: string | undefined;
  descending: boolean;
  /** One-based. */
  start_index: number;
  count: number;
}

/** @returns one page of people, and the total @throws 400 for an unsortable attribute */
export async function listPeople(
  tenant: Tenant,
  directoryId: string,
  query: PeopleQuery,
): Promise<{ rows: PersonWithStatus[]; total: number }> {
  const { condition, sort_by: sortBy, descending, start_index: startIndex, count } = query;
  const matching = people(tenant, directoryId).$if(condition !== undefined, (found) => found.where(condition!));
  const total = await countRows(matching);
  if (count === 0) return { rows: [], total };
  const direction = descending ? sql` desc` : sql``;
  const rows = await matching
    .select(selectedColumns)
    .orderBy(sql`${sortedBy(sortBy)}${direction}`)
    .orderBy('p.collaborator_id')
    .limit(count)
    .offset(startIndex - 1)
    .execute();
  return { rows: rows as PersonWithStatus[], total };
}

function sortedBy(attribute: string | undefined) {
  if (attribute === undefined) return sql`p.created_at`;
  const name = attribute.replace(`${schemas.user}:`, '').toLowerCase();
  const sortAttribute = Object.hasOwn(userAttributes, name) ? userAttributes[name] : undefined;
  if (!sortAttribute) throw new ScimProblem(400, 'invalidPath', `Sorting by ${attribute} is not supported.`);
  return sortAttribute.kind === 'text' ? sql`lower(${sortAttribute.column})` : sortAttribute.column;
}

export async function groupsOf(tenant: Tenant, directoryId: string, ids: readonly string[]): Promise<GroupOfPerson[]> {
  if (ids.length === 0) return [];
  return tenant
    .selectFrom('directory_members as m')
    .innerJoin('directory_groups as g', (join) =>
      join.onRef('g.company_id', '=', 'm.company_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['m.collaborator_id', 'g.id as value', 'g.display_name as display'])
    .where('m.collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('g.directory_id', '=', directoryId)
    .orderBy('g.display_name')
    .orderBy('g.id')
    .execute();
}

const text = (...path: string[]) => {
  const [last, ...before] = path.toReversed();
  const inner = before.toReversed().map((name) => sql`-> ${sql.lit(name)}`);
  return sql`(p.attributes ${sql.join(inner, sql` `)} ->> ${sql.lit(last!)})`;
};
const attribute = (...path: string[]) => ({ kind: 'text' as const, column: text(...path) });
const enterprise = schemas.enterprise.toLowerCase();

const userAttributes: FilterableAttributes = {
  id: { kind: 'text', column: sql`p.collaborator_id::text`, isId: (id) => sql`p.collaborator_id = ${id}::uuid` },
  externalid: { kind: 'exact', column: sql`p.external_id` },
  username: { kind: 'text', column: sql`p.user_name` },
  active: { kind: 'boolean', column: sql`(c.status <> 'inactive')` },
  'meta.created': { kind: 'time', column: sql`p.created_at` },
  'meta.lastmodified': { kind: 'time', column: sql`p.updated_at` },
  ...Object.fromEntries(
    ['displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'profileUrl'].map(
      (name) => [name.toLowerCase(), attribute(name)],
    ),
  ),
  ...Object.fromEntries(
    ['formatted', 'familyName', 'givenName', 'middleName'].map((name) => [
      `name.${name.toLowerCase()}`,
      attribute('name', name),
    ]),
  ),
  ...Object.fromEntries(
    ['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((name) => [
      `${enterprise}:${name.toLowerCase()}`,
      attribute(schemas.enterprise, name),
    ]),
  ),
  [`${enterprise}:manager`]: attribute(schemas.enterprise, 'manager', 'value'),
  [`${enterprise}:manager.value`]: attribute(schemas.enterprise, 'manager', 'value'),
};

export const filterableUsers: Filterable = {
  attributes: userAttributes,
  lists: Object.fromEntries(
    ['emails', 'phoneNumbers', 'addresses', 'ims', 'photos', 'roles', 'entitlements'].map((name) => [
      name.toLowerCase(),
      sql`(p.attributes -> ${sql.lit(name)})`,
    ]),
  ),
};
