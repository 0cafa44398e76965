import { notFound } from '../../../contract/problem.ts';
import { removeApp } from '../../../product/apps/remove-app.ts';
import type { Handler } from '../../handler.ts';

export const deleteApp: Handler<'deleteApp'> = async (_, { tenant, caller, app: { id } }) => {
  const removed = await tenant.transaction((tx) => removeApp(tx, id, caller.user_id));
  if (!removed) throw notFound(); // deleted concurrently
  return { status: 200, body: { id, deleted: true, deleted_at: removed.deleted_at } };
};
