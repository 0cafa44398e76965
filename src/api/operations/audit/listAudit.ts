import { keysetPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { auditViews, newestAuditEntries } from '../../../product/audit/audit-list.ts';
import type { Handler } from '../../handler.ts';

export const listAudit: Handler<'listAudit'> = async ({ query }, { tenant, cursors }) => {
  const {
    limit = 20,
    cursor,
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
  const binding = ['listAudit', tenant.company_id, filters];
  const [after] = cursor === undefined ? [] : (cursors.open(cursor, binding) as [string]);
  const found = await newestAuditEntries(tenant, filters, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ id }) => cursors.seal([id], binding));
  return { status: 200, body: { data: await auditViews(tenant, rows), pagination } };
};
