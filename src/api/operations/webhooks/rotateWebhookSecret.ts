import { rotateSecret } from '../../../product/webhooks/subscriptions/rotate-secret.ts';
import { webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import type { Handler } from '../../handler.ts';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async (
  { body },
  { tenant, webhook, webhooks, language },
) => {
  const immediately = body?.immediately ?? false;
  const { row, ...secrets } = await tenant.transaction((tx) => rotateSecret(tx, webhooks, webhook.id, immediately));
  return { status: 200, body: { ...webhookResponse(row, webhooks, language()), ...secrets } };
};
