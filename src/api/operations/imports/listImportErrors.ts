import { keysetPage } from '../../../platform/db/cursor.ts';
import { seesSalaries } from '../../../product/access/hidden-fields.ts';
import { errorResponse, errorsOfImport } from '../../../product/imports/state/row-errors.ts';
import type { Handler } from '../../handler.ts';

export const listImportErrors: Handler<'listImportErrors'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, cursors, importRow } = context;
  const language = context.language();
  const includesSalaries = seesSalaries(context);
  const binding = ['listImportErrors', tenant.company_id, importRow.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [number, number]);
  const found = await errorsOfImport(tenant, importRow.id, limit + 1, after);
  const { rows, pagination } = keysetPage(found, limit, ({ row_number: rowNumber, number }) =>
    cursors.seal([rowNumber, number], binding),
  );
  return { status: 200, body: { data: rows.map((row) => errorResponse(row, language, includesSalaries)), pagination } };
};
