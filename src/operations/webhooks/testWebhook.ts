import type { Handler } from '../../http/handler.ts';
import { deliveryLocation, deliveryView, sendTest } from '../../webhooks/deliveries.ts';

export const testWebhook: Handler<'testWebhook'> = async (_, { tenant, webhook }) => {
  const row = await tenant.transaction((tx) => sendTest(tx, webhook.id));
  return { status: 202, headers: { Location: deliveryLocation(row) }, body: deliveryView(row) };
};
