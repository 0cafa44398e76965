import type { Handler } from '../../http/handler.ts';
import { webhookView } from '../../webhooks/subscriptions.ts';
import { updateWebhook as update } from '../../webhooks/update.ts';

export const updateWebhook: Handler<'updateWebhook'> = async ({ body }, context) => {
  const row = await update(context, context.webhook, body);
  return { status: 200, body: webhookView(row, context.webhooks) };
};
