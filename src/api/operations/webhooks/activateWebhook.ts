import { futureFaults, momentOf } from '../../../platform/values/moments.ts';
import { activateWebhook as activate } from '../../../product/webhooks/activate-webhook.ts';
import { webhookView } from '../../../product/webhooks/subscriptions.ts';
import { refuseFaults } from '../../../product/webhooks/webhook-faults.ts';
import type { Handler } from '../../handler.ts';

export const activateWebhook: Handler<'activateWebhook'> = async ({ body }, context) => {
  const { tenant, webhook, webhooks, quotas, language } = context;
  const replay_from = body?.replay_from ? momentOf(body.replay_from) : null;
  if (replay_from) refuseFaults(futureFaults('replay_from', replay_from));
  const row = await tenant.transaction((tx) => activate(tx, quotas, webhook.id, replay_from));
  return { status: 200, body: webhookView(row, webhooks, language()) };
};
