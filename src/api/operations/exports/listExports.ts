import { openPage } from '../../../platform/db/cursor.ts';
import { cancelUnreadable } from '../../../product/exports/export-reader.ts';
import { exportResponse } from '../../../product/exports/export-response.ts';
import { newestExports } from '../../../product/exports/find-export.ts';
import type { Handler } from '../../handler.ts';

export const listExports: Handler<'listExports'> = async ({ query }, context) => {
  const { tenant, caller, cursors } = context;
  const language = context.language();
  const page = openPage(query, cursors, ['listExports', tenant.company_id, caller.user_id, query.status]);
  await cancelUnreadable(tenant, caller.user_id);
  const found = await newestExports(tenant, caller.user_id, query.status, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: rows.map((row) => exportResponse(row, context, language)), pagination } };
};
