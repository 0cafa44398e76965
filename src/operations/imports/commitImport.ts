import type { Handler } from '../../http/handler.ts';
import { commitImport as commit } from '../../imports/commit.ts';
import { importLocation } from '../../imports/find.ts';
import { importView } from '../../imports/view.ts';

export const commitImport: Handler<'commitImport'> = async (_request, context) => {
  const { tenant, caller, import_row } = context;
  const row = await tenant.transaction((tx) => commit(tx, caller, import_row.id));
  return { status: 202, headers: { Location: importLocation(row) }, body: importView(row, context) };
};
