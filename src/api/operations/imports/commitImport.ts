import { commitImport as commit } from '../../../product/imports/commit-import.ts';
import { importLocation } from '../../../product/imports/state/find-import.ts';
import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const commitImport: Handler<'commitImport'> = async (_request, context) => {
  const { tenant, importRow, quotas } = context;
  if (importRow.status.startsWith('completed')) await quotas.require(tenant, 'people', importRow.created_count);
  const row = await tenant.transaction((tx) => commit(tx, context, importRow.id));
  return {
    status: 202,
    headers: { Location: importLocation(row) },
    body: importResponse(row, context, context.language()),
  };
};
