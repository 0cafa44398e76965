import { undoResponse } from '../../../product/imports/undo/undo-response.ts';
import type { Handler } from '../../handler.ts';

export const getImportUndo: Handler<'getImportUndo'> = async (_request, { tenant, importRow }) => {
  return { status: 200, body: await undoResponse(tenant, importRow) };
};
