// The statements that all peers send: those of the service, without what it reads beside.

const columns = `id, name, email, phone, position, department, status, role, hire_date, salary, manager_id,
  work_schedule, location, emergency_contact, created_at, updated_at`;

export const statements = {
  get: `select ${columns} from collaborators where company_id = $1 and id = $2 and deleted_at is null`,
  count: 'select sum(active + inactive + pending)::int as total from collaborator_counts where company_id = $1',
  list: `select ${columns} from collaborators where company_id = $1 and deleted_at is null
    order by created_at, id limit $2 offset $3`,
  add: `insert into collaborators (company_id, id, name, email, position, department, phone, hire_date, location)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
  addHistory: `insert into collaborator_history (company_id, id, collaborator_id, action, description)
    values ($1, $2, $3, 'created', 'Collaborator created')`,
  addEvent: `insert into events (company_id, id, name, event_type, payload)
    values ($1, $2, 'collaborator.created', 'created', $3)`,
  // What the service writes beside: the counts that every list reads, the mark for who delivers events, the audit log.
  addCounts: `insert into collaborator_counts (company_id, slot, active, inactive, pending, changes)
    values ($1, $2, 0, 0, 1, 1)
    on conflict (company_id, slot) do update set
      pending = collaborator_counts.pending + excluded.pending, changes = collaborator_counts.changes + excluded.changes`,
  addMark: 'insert into outbox (company_id) values ($1)',
  addAudit: `insert into audit_log (company_id, id, at, action, actor_type, actor_id, ip, target_type, target_id, outcome, details)
    values ($1, $2, now(), 'createCollaborator', 'user', $3, '127.0.0.1', 'collaborator', $4, 'succeeded', $5)`,
};
