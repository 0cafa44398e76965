/** Suggestions in template cells: the company's most used values. */
import { sql } from 'kysely';
import type { Member } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { ImportField } from '../../collaborators/fields/sheet-columns.ts';
import { matchingCollaborators } from '../../collaborators/list/collaborator-filters.ts';

export type Suggestions = Partial<Record<ImportField, { values: string[]; notes?: string[] }>>;

/** Maximum suggestions per column, and how many of the newest people are considered. */
const maxSuggestions = 200;
const maxPeople = 20_000;
const suggested = ['department', 'position', 'location'] as const;

export async function suggestionsOf(tenant: Tenant, member: Member): Promise<Suggestions> {
  return { ...(await usedValues(tenant)), manager_email: await managers(tenant, member) };
}

/** The most used values, in their most used spelling. */
async function usedValues(tenant: Tenant): Promise<Suggestions> {
  const newest = newestPeople(tenant).select([...suggested]);
  const fields = sql.join(suggested.map((field) => sql`(${sql.lit(field)}, newest.${sql.ref(field)})`));
  const { rows } = await sql<{ field: ImportField; value: string }>`
    select field, value from (
      select used.field, mode() within group (order by used.value) as value,
        row_number() over (partition by used.field order by count(*) desc, lower(used.value)) as place
      from (${newest}) as newest cross join lateral (values ${fields}) as used (field, value)
      where used.value is not null
      group by used.field, lower(used.value)
    ) as ranked
    where place <= ${maxSuggestions}
    order by field, place`.execute(tenant.raw);
  const byField = Object.entries(Object.groupBy(rows, ({ field }) => field));
  return Object.fromEntries(byField.map(([field, found]) => [field, { values: found.map(({ value }) => value) }]));
}

/** Addresses of managers, most reports first, with names as notes, because few people know addresses by heart. */
async function managers(tenant: Tenant, member: Member): Promise<{ values: string[]; notes: string[] }> {
  const newest = newestPeople(tenant).select(['id', 'manager_id', 'role']);
  const { rows } = await sql<{ id: string }>`
    select named.id from (${newest}) as newest cross join lateral (
      values (newest.manager_id, 1), (case when newest.role = 'manager' then newest.id end, 0)
    ) as named (id, reports)
    where named.id is not null
    group by named.id
    order by sum(named.reports) desc, named.id
    limit ${maxSuggestions}`.execute(tenant.raw);
  const ids = rows.map(({ id }) => id);
  const found = await matchingCollaborators(tenant, member, {})
    .select(['id', 'email', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(found.map((person) => [person.id, person]));
  const people = ids.flatMap((id) => byId.get(id) ?? []);
  return { values: people.map(({ email }) => email), notes: people.map(({ name }) => name) };
}

function newestPeople(tenant: Tenant) {
  return tenant
    .selectFrom('collaborators')
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxPeople);
}
