import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const getImport: Handler<'getImport'> = async (_request, context) => {
  return { status: 200, body: importResponse(context.importRow, context, context.language()) };
};
