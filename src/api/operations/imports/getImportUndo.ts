import { undoView } from '../../../product/imports/undo/undo-view.ts';
import type { Handler } from '../../handler.ts';

export const getImportUndo: Handler<'getImportUndo'> = async (_request, { tenant, importRow }) => {
  return { status: 200, body: await undoView(tenant, importRow) };
};
