import { savedView, savedViewsOf } from '../../../product/saved-views/saved-views.ts';
import type { Handler } from '../../handler.ts';

export const listSavedViews: Handler<'listSavedViews'> = async (_request, { tenant, member }) => ({
  status: 200,
  body: { data: (await savedViewsOf(tenant, member)).map(savedView) },
});
