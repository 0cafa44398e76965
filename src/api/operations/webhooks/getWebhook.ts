import { webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import type { Handler } from '../../handler.ts';

export const getWebhook: Handler<'getWebhook'> = async (_, { webhook, webhooks, language }) => {
  return { status: 200, body: webhookResponse(webhook, webhooks, language()) };
};
