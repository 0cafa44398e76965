import { webhookEtag, webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import type { Handler } from '../../handler.ts';

export const getWebhook: Handler<'getWebhook'> = async (_, { webhook, webhooks, language }) => {
  const headers = { ETag: webhookEtag(webhook) };
  return { status: 200, headers, body: webhookResponse(webhook, webhooks, language()) };
};
