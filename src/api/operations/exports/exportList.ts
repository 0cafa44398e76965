import { filtersOf } from '../../../product/collaborators/list/collaborator-filters.ts';
import { requestedFields } from '../../../product/collaborators/responses/requested-fields.ts';
import { fieldOrders } from '../../../product/custom-fields/listed-fields.ts';
import { listFilename } from '../../../product/exports/content/export-request.ts';
import { createExport } from '../../../product/exports/create-export.ts';
import { exportLocation, exportResponse, pollIntervalS } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

export const exportList: Handler<'exportList'> = async ({ query }, context) => {
  const { format = 'xlsx', sort, language = context.language(), delimiter, fields, ...filtering } = query;
  const filters = filtersOf(filtering, context);
  fieldOrders(sort, context);
  const chosen = requestedFields({ fields }, context).fields;
  const request = {
    kind: 'list',
    format,
    query: { filters, sort, language, delimiter, ...(chosen && { fields: [...chosen] }) },
  } as const;
  const row = await createExport(context, request, listFilename(request));
  const response = {
    headers: { Location: exportLocation(row) },
    body: exportResponse(row, context, context.language()),
  };
  if (row.status === 'completed') return { ...response, status: 200 };
  return { ...response, status: 202, headers: { ...response.headers, 'Retry-After': pollIntervalS } };
};
