import { changeSavedView, savedView } from '../../../product/saved-views/saved-views.ts';
import type { Handler } from '../../handler.ts';

export const updateSavedView: Handler<'updateSavedView'> = async ({ body }, { tenant, member, savedView: before }) => ({
  status: 200,
  body: savedView(await changeSavedView(tenant, member, before, body)),
});
