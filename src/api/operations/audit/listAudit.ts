import { openPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import { auditViews, newestAuditEntries } from '../../../product/audit/audit-list.ts';
import type { Handler } from '../../handler.ts';

export const listAudit: Handler<'listAudit'> = async ({ query }, { tenant, cursors }) => {
  const { limit: _, cursor: __, since, until, ...others } = query;
  const filters = { ...others, since: optionalMoment(since), until: optionalMoment(until) };
  const page = openPage<[id: string]>(query, cursors, ['listAudit', tenant.company_id, filters]);
  const found = await newestAuditEntries(tenant, filters, page.count, page.after?.[0]);
  const { rows, pagination } = page.of(found, ({ id }) => [id]);
  return { status: 200, body: { data: await auditViews(tenant, rows), pagination } };
};
