import { answerImport as answer } from '../../../product/imports/answer-import.ts';
import { acceptedImport } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const answerImport: Handler<'answerImport'> = async ({ body: { answers } }, context) => {
  const { tenant, importRow } = context;
  const row = await tenant.transaction((tx) => answer(tx, importRow.id, answers));
  return acceptedImport(row, context);
};
