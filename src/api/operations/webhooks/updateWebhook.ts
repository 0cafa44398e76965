import { webhookEtag, webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import { updateWebhook as update } from '../../../product/webhooks/subscriptions/update-webhook.ts';
import type { Handler } from '../../handler.ts';

export const updateWebhook: Handler<'updateWebhook'> = async ({ body, ifMatch }, context) => {
  const { row, dropped_headers: droppedHeaders } = await update(context, context.webhook, body, ifMatch);
  const response = webhookResponse(row, context.webhooks, context.language(), droppedHeaders);
  return { status: 200, headers: { ETag: webhookEtag(row) }, body: response };
};
