import { createExport } from '../../exports/create.ts';
import { exportLocation, exportView, look_again_after_s } from '../../exports/view.ts';
import { listFilename } from '../../exports/wanted.ts';
import type { Handler } from '../../http/handler.ts';

export const exportList: Handler<'exportList'> = async ({ query }, context) => {
  const { format = 'xlsx', sort, ...filters } = query;
  const row = await createExport(context, { kind: 'list', format, query: { filters, sort } }, listFilename(format));
  const answer = { headers: { Location: exportLocation(row) }, body: exportView(row, context) };
  if (row.status === 'completed') return { ...answer, status: 200 };
  return { ...answer, status: 202, headers: { ...answer.headers, 'Retry-After': look_again_after_s } };
};
