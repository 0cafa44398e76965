import { keysetPage } from '../../../platform/db/cursor.ts';
import { seesSalaries } from '../../../product/access/hidden-fields.ts';
import { faultsOf, faultView } from '../../../product/imports/state/row-errors.ts';
import type { Handler } from '../../handler.ts';

export const listImportErrors: Handler<'listImportErrors'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, cursors, import_row } = context;
  const language = context.language();
  const sees_salaries = seesSalaries(context);
  const binding = ['listImportErrors', tenant.company_id, import_row.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [number, number]);
  const found = await faultsOf(tenant, import_row.id, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ row_number, number }) =>
    cursors.seal([row_number, number], binding),
  );
  return { status: 200, body: { data: rows.map((row) => faultView(row, language, sees_salaries)), pagination } };
};
