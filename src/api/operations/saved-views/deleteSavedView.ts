import { removeSavedView } from '../../../product/saved-views/saved-views.ts';
import type { Handler } from '../../handler.ts';

export const deleteSavedView: Handler<'deleteSavedView'> = async (_request, { tenant, member, savedView: { id } }) => {
  await removeSavedView(tenant, member, id);
  return { status: 200, body: { id, deleted: true } };
};
