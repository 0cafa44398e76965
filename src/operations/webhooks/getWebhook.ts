import type { Handler } from '../../http/handler.ts';
import { webhookView } from '../../webhooks/subscriptions.ts';

export const getWebhook: Handler<'getWebhook'> = async (_, { webhook, webhooks }) => {
  return { status: 200, body: webhookView(webhook, webhooks) };
};
