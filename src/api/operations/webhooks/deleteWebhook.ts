import { notFound } from '../../../contract/problem.ts';
import { removeWebhooks } from '../../../product/webhooks/subscriptions/remove-webhook.ts';
import type { Handler } from '../../handler.ts';

export const deleteWebhook: Handler<'deleteWebhook'> = async (_, { tenant, webhook: { id } }) => {
  const [removed] = await tenant.transaction((tx) => removeWebhooks(tx, { id }));
  if (!removed) throw notFound(); // deleted concurrently
  return { status: 200, body: { id, deleted: true, deleted_at: removed.deleted_at } };
};
