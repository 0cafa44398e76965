import { exportResponse } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

export const getExport: Handler<'getExport'> = async (_request, context) => {
  return { status: 200, body: exportResponse(context.exportRow, context, context.language()) };
};
