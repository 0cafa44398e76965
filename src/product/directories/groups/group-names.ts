import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';

type GroupResponse = components['schemas']['DirectoryGroup'];

export async function groupsByName(
  tenant: Tenant,
  directoryId: string,
  count: number,
  after: [name: string, id: string] | undefined,
): Promise<GroupResponse[]> {
  const name = sql<string>`lower(display_name)`;
  const rows = await tenant
    .selectFrom('directory_groups')
    .select(['id', 'display_name as name', 'external_id', 'role', 'updated_at'])
    .where('directory_id', '=', directoryId)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, or, and }) =>
        or([eb(name, '>', after![0]), and([eb(name, '=', after![0]), eb('id', '>', after![1])])]),
      ),
    )
    .orderBy(name)
    .orderBy('id')
    .limit(count)
    .execute();
  const counts = await memberCounts(
    tenant,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    role: row.role as GroupResponse['role'],
    member_count: counts.get(row.id) ?? 0,
  }));
}

async function memberCounts(tenant: Tenant, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await tenant
    .selectFrom('directory_members as m')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'm.company_id').onRef('c.id', '=', 'm.collaborator_id'),
    )
    .select(({ fn }) => ['m.group_id', fn.countAll<number>().as('number')] as const)
    .where('m.group_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('c.deleted_at', 'is', null)
    .groupBy('m.group_id')
    .execute();
  return new Map(rows.map(({ group_id: id, number }) => [id, number]));
}
