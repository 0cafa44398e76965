import { answerImport as answer } from '../../../product/imports/answer-import.ts';
import { importLocation } from '../../../product/imports/state/find-import.ts';
import { importResponse } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const answerImport: Handler<'answerImport'> = async ({ body: { answers } }, context) => {
  const { tenant, importRow } = context;
  const row = await tenant.transaction((tx) => answer(tx, importRow.id, answers));
  return {
    status: 202,
    headers: { Location: importLocation(row) },
    body: importResponse(row, context, context.language()),
  };
};
