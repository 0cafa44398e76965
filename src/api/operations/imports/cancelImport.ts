import { cancelImport as cancel } from '../../../product/imports/cancel-import.ts';
import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const cancelImport: Handler<'cancelImport'> = async (_request, context) => {
  const { tenant, importRow } = context;
  const row = await tenant.transaction((tx) => cancel(tx, importRow.id));
  return { status: 200, body: importResponse(row, context, context.language()) };
};
