import { requestUndo } from '../../../product/imports/undo/request-undo.ts';
import { undoResponse } from '../../../product/imports/undo/undo-response.ts';
import type { Handler } from '../../handler.ts';

export const undoImport: Handler<'undoImport'> = async (_request, { tenant, caller, importRow }) => {
  const row = await tenant.transaction((tx) => requestUndo(tx, caller, importRow.id));
  return { status: 202, body: await undoResponse(tenant, row) };
};
