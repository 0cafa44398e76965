import { futureErrors, momentOf } from '../../../platform/values/moments.ts';
import { activateWebhook as activate } from '../../../product/webhooks/subscriptions/activate-webhook.ts';
import { webhookResponse } from '../../../product/webhooks/subscriptions/subscriptions.ts';
import { refuseErrors } from '../../../product/webhooks/subscriptions/webhook-errors.ts';
import type { Handler } from '../../handler.ts';

export const activateWebhook: Handler<'activateWebhook'> = async ({ body }, context) => {
  const { tenant, webhook, webhooks, quotas, language } = context;
  const replayFrom = body?.replay_from ? momentOf(body.replay_from) : null;
  if (replayFrom) refuseErrors(futureErrors('replay_from', replayFrom));
  const row = await tenant.transaction((tx) => activate(tx, quotas, webhook.id, replayFrom));
  return { status: 200, body: webhookResponse(row, webhooks, language()) };
};
