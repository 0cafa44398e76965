import { webhookFigures } from '../../../product/webhooks/deliveries/webhook-figures.ts';
import type { Handler } from '../../handler.ts';

export const getWebhookFigures: Handler<'getWebhookFigures'> = async (_, { tenant, webhook }) => {
  return { status: 200, body: await webhookFigures(tenant, webhook.id) };
};
