import { commitImport as commit } from '../../../product/imports/commit-import.ts';
import { acceptedImport } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const commitImport: Handler<'commitImport'> = async (_request, context) => {
  const { tenant, importRow, quotas } = context;
  if (importRow.status.startsWith('completed')) await quotas.require(tenant, 'people', importRow.created_count);
  const row = await tenant.transaction((tx) => commit(tx, context, importRow.id));
  return acceptedImport(row, context);
};
