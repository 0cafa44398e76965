import { openPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { auditViews, newestAuditEntries } from '../../../product/audit/audit-list.ts';
import type { Handler } from '../../handler.ts';

export const listAudit: Handler<'listAudit'> = async ({ query }, { tenant, cursors }) => {
  const {
    action,
    actor_id: actorId,
    actor_collaborator_id: actorCollaboratorId,
    target_id: targetId,
    changed_field: changedField,
    outcome,
    exclude,
    since,
    until,
  } = query;
  const times = { since: optionalMoment(since), until: optionalMoment(until) };
  const filters = {
    action,
    actor_id: actorId,
    actor_collaborator_id: actorCollaboratorId,
    target_id: targetId,
    changed_field: changedField,
    outcome,
    exclude,
    ...times,
  };
  const page = openPage<[id: string]>(query, cursors, ['listAudit', tenant.company_id, filters]);
  const found = await newestAuditEntries(tenant, filters, page.count, page.after?.[0]);
  const { rows, pagination } = page.of(found, ({ id }) => [id]);
  return { status: 200, body: { data: await auditViews(tenant, rows), pagination } };
};
