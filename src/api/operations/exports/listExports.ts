import { keysetPage } from '../../../platform/db/cursor.ts';
import { cancelUnreadable } from '../../../product/exports/export-reader.ts';
import { exportResponse } from '../../../product/exports/export-response.ts';
import { newestExports } from '../../../product/exports/find-export.ts';
import type { Handler } from '../../handler.ts';

export const listExports: Handler<'listExports'> = async ({ query: { limit = 20, cursor, status } }, context) => {
  const { tenant, caller, cursors } = context;
  const language = context.language();
  const binding = ['listExports', tenant.company_id, caller.user_id, status];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  await cancelUnreadable(tenant, caller.user_id);
  const found = await newestExports(tenant, caller.user_id, status, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  return { status: 200, body: { data: rows.map((row) => exportResponse(row, context, language)), pagination } };
};
