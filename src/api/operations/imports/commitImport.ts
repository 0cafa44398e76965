import { commitImport as commit } from '../../../product/imports/commit-import.ts';
import { importLocation } from '../../../product/imports/state/find-import.ts';
import { importView } from '../../../product/imports/state/import-view.ts';
import type { Handler } from '../../handler.ts';

export const commitImport: Handler<'commitImport'> = async (_request, context) => {
  const { tenant, import_row, quotas } = context;
  if (import_row.status.startsWith('completed')) await quotas.require(tenant, 'people', import_row.created_count);
  const row = await tenant.transaction((tx) => commit(tx, context, import_row.id));
  return {
    status: 202,
    headers: { Location: importLocation(row) },
    body: importView(row, context, context.language()),
  };
};
