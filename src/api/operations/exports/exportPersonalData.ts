import { personFilename } from '../../../product/exports/content/export-request.ts';
import { createExport } from '../../../product/exports/create-export.ts';
import { exportLocation, exportResponse, pollIntervalS } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

export const exportPersonalData: Handler<'exportPersonalData'> = async (_request, context) => {
  const { id, name } = context.collaborator;
  const request = { kind: 'personal_data', format: 'zip', query: { collaborator_id: id } } as const;
  const row = await createExport(context, request, personFilename(name, 'zip'));
  const headers = { Location: exportLocation(row), 'Retry-After': pollIntervalS };
  return { status: 202, headers, body: exportResponse(row, context, context.language()) };
};
