import { openPage } from '../../../platform/db/cursor.ts';
import { countLevel, levelOf, nodesOf, pathTo } from '../../../product/collaborators/responses/org-chart.ts';
import type { Handler } from '../../handler.ts';

export const listOrgChart: Handler<'listOrgChart'> = async ({ query }, context) => {
  const { manager_id: managerId, has_reports: hasReports } = query;
  const { tenant, member, cursors } = context;
  if (query.path_to !== undefined) {
    const path = await pathTo(tenant, member, query.path_to);
    const pagination = { hasMore: false, nextCursor: null, total: path.length };
    return { status: 200, body: { data: await nodesOf(path, context), pagination } };
  }
  const level = { manager_id: managerId, has_reports: hasReports };
  const binding = ['listOrgChart', tenant.company_id, member.collaborator_id, managerId ?? null, hasReports ?? null];
  const page = openPage<readonly unknown[]>(query, cursors, binding);
  const total = await countLevel(tenant, member, level);
  const found = await levelOf(tenant, member, level, total, page.count, page.after);
  const { rows, pagination } = page.of(found, (row) => row.list_position);
  return { status: 200, body: { data: await nodesOf(rows, context), pagination: { ...pagination, total } } };
};
