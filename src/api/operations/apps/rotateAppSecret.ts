import { appResponse } from '../../../product/apps/apps.ts';
import { rotateSecret } from '../../../product/apps/rotate-app-secret.ts';
import type { Handler } from '../../handler.ts';

export const rotateAppSecret: Handler<'rotateAppSecret'> = async ({ body }, { tenant, app }) => {
  const immediately = body?.immediately ?? false;
  const { row, client_secret: clientSecret } = await tenant.transaction((tx) => rotateSecret(tx, app.id, immediately));
  return { status: 200, body: { ...appResponse(row), client_secret: clientSecret } };
};
