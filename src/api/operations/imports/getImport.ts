import { importView } from '../../../product/imports/state/import-view.ts';
import type { Handler } from '../../handler.ts';

export const getImport: Handler<'getImport'> = async (_request, context) => {
  return { status: 200, body: importView(context.importRow, context, context.language()) };
};
