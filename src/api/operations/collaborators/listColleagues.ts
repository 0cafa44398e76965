import { openPage } from '../../../platform/db/cursor.ts';
import {
  colleagueResponse,
  countColleagues,
  listColleagueResponses,
} from '../../../product/collaborators/responses/colleagues.ts';
import type { Handler } from '../../handler.ts';

export const listColleagues: Handler<'listColleagues'> = async ({ query }, context) => {
  const { search, department, location } = query;
  const { tenant, cursors, files } = context;
  const filters = { search, department, location };
  const page = openPage<readonly unknown[]>(query, cursors, ['listColleagues', tenant.company_id, filters]);
  const total = await countColleagues(tenant, filters);
  const found = await listColleagueResponses(tenant, filters, total, page.count, page.after);
  const { rows, pagination } = page.of(found, (row) => row.list_position);
  const data = rows.map((row) => colleagueResponse(row, tenant, files.links));
  return { status: 200, body: { data, pagination: { ...pagination, total } } };
};
