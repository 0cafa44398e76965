import { exportView } from '../../../product/exports/export-view.ts';
import type { Handler } from '../../handler.ts';

export const getExport: Handler<'getExport'> = async (_request, context) => {
  return { status: 200, body: exportView(context.exportRow, context, context.language()) };
};
