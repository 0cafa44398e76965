import { deliveryLocation, deliveryView, sendTest } from '../../../product/webhooks/deliveries.ts';
import type { Handler } from '../../handler.ts';

export const testWebhook: Handler<'testWebhook'> = async (_, { tenant, webhook, quotas }) => {
  const row = await tenant.transaction((tx) => sendTest(tx, quotas, webhook.id));
  return { status: 202, headers: { Location: deliveryLocation(row) }, body: deliveryView(row) };
};
