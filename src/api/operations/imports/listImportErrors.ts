import { openPage } from '../../../platform/db/cursor.ts';
import { seesSalaries } from '../../../product/access/hidden-fields.ts';
import { errorResponse, errorsOfImport } from '../../../product/imports/state/row-errors.ts';
import type { Handler } from '../../handler.ts';

export const listImportErrors: Handler<'listImportErrors'> = async ({ query }, context) => {
  const { tenant, cursors, importRow } = context;
  const language = context.language();
  const includesSalaries = seesSalaries(context);
  const page = openPage<[number, number]>(query, cursors, ['listImportErrors', tenant.company_id, importRow.id]);
  const found = await errorsOfImport(tenant, importRow.id, page.count, page.after);
  const { rows, pagination } = page.of(found, ({ row_number: rowNumber, number }) => [rowNumber, number]);
  return { status: 200, body: { data: rows.map((row) => errorResponse(row, language, includesSalaries)), pagination } };
};
