import type { Handler } from '../../http/handler.ts';
import { rotateSecret } from '../../webhooks/rotate.ts';
import { webhookView } from '../../webhooks/subscriptions.ts';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async (_, { tenant, webhook, webhooks }) => {
  const { row, ...secrets } = await tenant.transaction((tx) => rotateSecret(tx, webhooks, webhook.id));
  return { status: 200, body: { ...webhookView(row, webhooks), ...secrets } };
};
