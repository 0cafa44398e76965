// The statements of all peers, taken from the service.

export const columns = `id, name, email, phone, position, department, status, role, hire_date, termination_date, salary,
  manager_id, work_schedule, location, external_id, employee_number, custom_fields, avatar_key, emergency_contact, managed_by, managed_fields,
  created_at, updated_at`;

export const statements = {
  /** The caller. */
  member: 'select id, role from collaborators where company_id = $1 and user_id = $2 and deleted_at is null',
  get: `select ${columns} from collaborators where company_id = $1 and id = $2 and deleted_at is null`,
  /** A person below $3. */
  getBelow: `select ${columns} from collaborators where company_id = $1 and id = $2 and deleted_at is null and exists (
      with recursive chain as (
        select manager_id from collaborators where company_id = $1 and id = $2
        union
        select above.manager_id from collaborators above join chain on above.id = chain.manager_id
        where above.company_id = $1
      )
      select 1 from chain where manager_id = $3)`,
  counts: `select sum(active)::int as active, sum(pending)::int as pending, sum(active + inactive + pending)::int as total
    from collaborator_counts where company_id = $1`,
  add: `insert into collaborators (company_id, id, name, email, position, department, phone, hire_date, location)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
  lock: `select ${columns}, revision from collaborators where company_id = $1 and id = $2 and deleted_at is null
    for no key update`,
  addHistory: `insert into collaborator_history (company_id, id, collaborator_id, action, description, changes)
    values ($1, $2, $3, $4, $5, $6)`,
  addEvent: `insert into events (company_id, id, name, event_type, payload) values ($1, $2, $3, $4, $5)`,
  /** Counts that every list reads. */
  addCounts: `insert into collaborator_counts (company_id, slot, active, inactive, pending)
    values ($1, $2, 0, 0, $3)
    on conflict (company_id, slot) do update set pending = collaborator_counts.pending + excluded.pending`,
  addAudit: `insert into audit_log (company_id, id, at, action, actor_type, actor_id, ip, target_type, target_id, outcome, details)
    values ($1, $2, now(), $3, 'user', $4, '127.0.0.1', 'collaborator', $5, 'succeeded', $6)`,
};

export function changeOf(field: string): string {
  return `update collaborators set ${field} = $3, revision = revision + 1, updated_at = now()
    where company_id = $1 and id = $2 returning ${columns}`;
}
