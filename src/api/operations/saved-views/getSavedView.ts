import { savedView } from '../../../product/saved-views/saved-views.ts';
import type { Handler } from '../../handler.ts';

export const getSavedView: Handler<'getSavedView'> = async (_request, { savedView: row }) => ({
  status: 200,
  body: savedView(row),
});
