import type { Handler } from '../../http/handler.ts';
import { cancelImport as cancel } from '../../imports/cancel.ts';
import { importView } from '../../imports/view.ts';

export const cancelImport: Handler<'cancelImport'> = async (_request, context) => {
  const { tenant, import_row } = context;
  const row = await tenant.transaction((tx) => cancel(tx, import_row.id));
  return { status: 200, body: importView(row, context) };
};
