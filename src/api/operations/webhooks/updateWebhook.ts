import { webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import { updateWebhook as update } from '../../../product/webhooks/subscriptions/update-webhook.ts';
import type { Handler } from '../../handler.ts';

export const updateWebhook: Handler<'updateWebhook'> = async ({ body }, context) => {
  const { row, dropped_headers: droppedHeaders } = await update(context, context.webhook, body);
  return { status: 200, body: webhookResponse(row, context.webhooks, context.language(), droppedHeaders) };
};
