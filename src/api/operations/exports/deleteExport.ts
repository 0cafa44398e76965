import { removeExport } from '../../../product/exports/remove-export.ts';
import type { Handler } from '../../handler.ts';

export const deleteExport: Handler<'deleteExport'> = async (_request, { tenant, files, exportRow: { id } }) => {
  const deletedAt = await removeExport(tenant, files.storage, id);
  return { status: 200, body: { id, deleted: true, deleted_at: deletedAt } };
};
