/** The people added by an import: which of them an undo deletes, and why others stay. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { UndoReason, UndoReport } from './undo-state.ts';

export const maxNamed = 100;

/** History actions that don't count as changes of the person. */
const harmless = ['created', 'invited', 'invitation_expired'];

export function isChanged({ company_id: companyId }: Tenant, person: 'c' | 'collaborators'): RawBuilder<SqlBool> {
  const id = sql.ref(`${person}.id`);
  return sql<SqlBool>`(exists (
      select 1 from collaborator_history h
      where h.company_id = ${companyId} and h.collaborator_id = ${id} and h.action <> all(${harmless}::text[])
    ) or exists (
      select 1 from directory_people d
      where d.company_id = ${companyId} and d.collaborator_id = ${id} and d.removed_at is null
    ))`;
}

export function hasReports({ company_id: companyId }: Tenant, person: 'c' | 'collaborators'): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from collaborators r
    where r.company_id = ${companyId} and r.manager_id = ${sql.ref(`${person}.id`)} and r.deleted_at is null
  )`;
}

interface ClassifiedPeople extends UndoReport {
  removable: number;
}

/** Classifies the remaining people in one statement: a manager stays if any report stays. */
export async function classifyAdded(tenant: Tenant, importId: string): Promise<ClassifiedPeople> {
  const { company_id: companyId } = tenant;
  const { rows } = await sql<{ reason: UndoReason | null; count: number; ids: string[] | null }>`
    with recursive added as materialized (
      select c.id, c.manager_id, c.name, ${isChanged(tenant, 'c')} as is_changed
      from collaborators c
      where c.company_id = ${companyId} and c.import_id = ${importId} and c.deleted_at is null
    ), unchanged as materialized (
      select id, manager_id from added where not is_changed
    ), above as (
      select managed.manager_id as id from collaborators managed
      where managed.company_id = ${companyId} and managed.deleted_at is null
        and managed.manager_id in (select manager.id from unchanged manager)
        and managed.id not in (select self.id from unchanged self)
      union
      select below.manager_id from unchanged below join above on above.id = below.id
      where below.manager_id in (select manager.id from unchanged manager)
    ), sorted as (
      select id, name, case when is_changed then 'changed' when id in (select id from above) then 'has_reports' end as reason
      from added
    ), placed as (
      select id, name, reason, row_number() over (partition by reason order by name, id) as place from sorted
    )
    select reason, count(*)::int as count,
      array_agg(id::text order by name, id) filter (where place <= ${maxNamed} and reason is not null) as ids
    from placed group by reason`.execute(tenant.raw);
  const kept = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
  const people = rows.flatMap(({ reason, ids }) => (reason ? (ids ?? []).map((id) => ({ id, reason })) : []));
  return {
    removable: rows.find(({ reason }) => reason === null)?.count ?? 0,
    kept,
    people: people.slice(0, maxNamed),
  };
}

export async function countDeleted(tenant: Tenant, importId: string): Promise<number> {
  const { count } = await tenant
    .selectFrom('collaborators')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
