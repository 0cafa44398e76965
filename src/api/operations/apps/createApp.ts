import { refuseAppErrors } from '../../../product/apps/app-errors.ts';
import { appEtag, appLocation, appResponse } from '../../../product/apps/apps.ts';
import { addApp } from '../../../product/apps/create-app.ts';
import type { Handler } from '../../handler.ts';

export const createApp: Handler<'createApp'> = async ({ body }, { tenant, caller }) => {
  refuseAppErrors(body, body.kind === 'public');
  const { row, client_secret: clientSecret } = await tenant.transaction((tx) =>
    addApp(tx, { ...body, created_by: caller.user_id }),
  );
  const headers = { Location: appLocation(row), ETag: appEtag(row) };
  return { status: 201, headers, body: { ...appResponse(row), client_secret: clientSecret } };
};
