import { keysetPage } from '../../../platform/db/cursor.ts';
import {
  colleagueResponse,
  countColleagues,
  listColleagueResponses,
} from '../../../product/collaborators/responses/colleagues.ts';
import type { Handler } from '../../handler.ts';

export const listColleagues: Handler<'listColleagues'> = async ({ query }, context) => {
  const { limit = 20, cursor, search, department, location } = query;
  const { tenant, cursors, files } = context;
  const filters = { search, department, location };
  const binding = ['listColleagues', tenant.company_id, filters];
  const behind = cursor === undefined ? undefined : cursors.open(cursor, binding);
  const [found, total] = await Promise.all([
    listColleagueResponses(tenant, filters, limit + 1, behind),
    countColleagues(tenant, filters),
  ]);
  const { rows, pagination } = keysetPage(found, limit, (row) => cursors.seal(row.list_position, binding));
  const data = rows.map((row) => colleagueResponse(row, tenant, files.links));
  return { status: 200, body: { data, pagination: { ...pagination, total } } };
};
