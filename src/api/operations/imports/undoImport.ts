import { requestUndo } from '../../../product/imports/undo/request-undo.ts';
import { undoView } from '../../../product/imports/undo/undo-view.ts';
import type { Handler } from '../../handler.ts';

export const undoImport: Handler<'undoImport'> = async (_request, { tenant, caller, importRow }) => {
  const row = await tenant.transaction((tx) => requestUndo(tx, caller, importRow.id));
  return { status: 202, body: await undoView(tenant, row) };
};
