import { openPage } from '../../../platform/db/cursor.ts';
import { newestImports } from '../../../product/imports/state/find-import.ts';
import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const listImports: Handler<'listImports'> = async ({ query }, context) => {
  const { tenant, cursors } = context;
  const language = context.language();
  const page = openPage(query, cursors, ['listImports', tenant.company_id, query.status]);
  const found = await newestImports(tenant, query.status, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ created_at: createdAt, id }) => [createdAt, id]);
  return { status: 200, body: { data: rows.map((row) => importResponse(row, context, language)), pagination } };
};
