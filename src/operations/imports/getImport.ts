import type { Handler } from '../../http/handler.ts';
import { importView } from '../../imports/view.ts';

export const getImport: Handler<'getImport'> = async (_request, context) => {
  return { status: 200, body: importView(context.import_row, context) };
};
