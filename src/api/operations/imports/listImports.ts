import { keysetPage } from '../../../platform/db/cursor.ts';
import { newestImports } from '../../../product/imports/state/find-import.ts';
import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const listImports: Handler<'listImports'> = async ({ query: { limit = 20, cursor, status } }, context) => {
  const { tenant, cursors } = context;
  const language = context.language();
  const binding = ['listImports', tenant.company_id, status];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await newestImports(tenant, status, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ created_at: createdAt, id }) =>
    cursors.seal([createdAt, id], binding),
  );
  return { status: 200, body: { data: rows.map((row) => importResponse(row, context, language)), pagination } };
};
