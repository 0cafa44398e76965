import { createGroupExport } from '../../../product/exports/create-export.ts';
import { exportLink, exportLocation } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

export const exportGroup: Handler<'exportGroup'> = async ({ query }, context) => {
  const row = await createGroupExport(context, { ...query, language: query.language ?? context.language() });
  return { status: 200, headers: { Location: exportLocation(row) }, body: exportLink(row, context) };
};
