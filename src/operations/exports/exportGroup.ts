import { createGroupExport } from '../../exports/create.ts';
import { exportLink, exportLocation } from '../../exports/view.ts';
import type { Handler } from '../../http/handler.ts';

export const exportGroup: Handler<'exportGroup'> = async ({ query }, context) => {
  const row = await createGroupExport(context, query);
  return { status: 200, headers: { Location: exportLocation(row) }, body: exportLink(row, context) };
};
