import { refuseAppErrors } from '../../../product/apps/app-errors.ts';
import { showApp } from '../../../product/apps/apps.ts';
import { changeApp } from '../../../product/apps/update-app.ts';
import type { Handler } from '../../handler.ts';

export const updateApp: Handler<'updateApp'> = async ({ body, ifMatch }, { tenant, app }) => {
  refuseAppErrors(body, app.secret_hash === null);
  const row = await tenant.transaction((tx) => changeApp(tx, app.id, body, ifMatch));
  return showApp(row);
};
