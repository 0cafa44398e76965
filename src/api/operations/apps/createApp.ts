import { refuseAppFaults } from '../../../product/apps/app-faults.ts';
import { appEtag, appLocation, appView } from '../../../product/apps/apps.ts';
import { addApp } from '../../../product/apps/create-app.ts';
import type { Handler } from '../../handler.ts';

export const createApp: Handler<'createApp'> = async ({ body }, { tenant, caller }) => {
  refuseAppFaults(body, body.kind === 'public');
  const { row, client_secret: clientSecret } = await tenant.transaction((tx) =>
    addApp(tx, { ...body, created_by: caller.user_id }),
  );
  const headers = { Location: appLocation(row), ETag: appEtag(row) };
  return { status: 201, headers, body: { ...appView(row), client_secret: clientSecret } };
};
