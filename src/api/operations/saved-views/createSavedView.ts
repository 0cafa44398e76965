import { addSavedView, savedView } from '../../../product/saved-views/saved-views.ts';
import type { Handler } from '../../handler.ts';

export const createSavedView: Handler<'createSavedView'> = async ({ body }, { tenant, member }) => {
  const row = await addSavedView(tenant, member, body);
  return { status: 201, headers: { Location: `/v1/saved-views/${row.id}` }, body: savedView(row) };
};
