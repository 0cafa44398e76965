/** The values that replace personal data. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';

export const erasedName = 'Erased';

/** History fields whose values reveal nothing about the person: rights and position in the hierarchy. */
const retainedFields = ['status', 'role', 'manager_id'];

export function erasedColumns(id: string) {
  return {
    name: erasedName,
    email: `erased-${id}@erased.invalid`, // a reserved domain (RFC 2606)
    phone: null,
    position: erasedName,
    department: erasedName,
    hire_date: null,
    termination_date: null,
    termination_week_told: null,
    termination_day_told: null,
    termination_held: null,
    salary: null,
    manager_id: null,
    work_schedule: null,
    location: null,
    external_id: null,
    employee_number: null,
    custom_fields: null,
    avatar_key: null,
    emergency_contact: null,
    status_reason: null,
    user_id: null,
    import_id: null,
    managed_by: null,
    managed_fields: null,
  };
}

/** Removes the values: who changed which field when stays. */
export async function eraseHistory(tx: TenantTransaction, collaboratorId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update collaborator_history set
      description = case
        when action = 'invited' then 'Invitation sent'
        when action = 'invitation_expired' then 'Invitation expired' else description end,
      changes = (
        select coalesce(jsonb_agg(
          case when change ->> 'field' = any(${retainedFields}::text[]) then change
          else jsonb_build_object('field', change -> 'field', 'from', null, 'to', null) end order by place), '[]')
        from jsonb_array_elements(changes) with ordinality as change (change, place)
      )
    where company_id = ${tx.company_id} and collaborator_id = ${collaboratorId}`.execute(tx.raw);
  return Number(numAffectedRows);
}

/** Every address the collaborator had in the company, in lower case, because mails and events contain them. */
export async function addressesOf(tx: TenantTransaction, id: string, current: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct lower(address) as address from collaborator_history,
      jsonb_array_elements(changes) as change,
      lateral (values (change ->> 'from'), (change ->> 'to')) as known (address)
    where company_id = ${tx.company_id} and collaborator_id = ${id} and change ->> 'field' = 'email'
      and address is not null`.execute(tx.raw);
  return [...new Set([current.toLowerCase(), ...rows.map(({ address }) => address)])];
}
