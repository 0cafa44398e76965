import type { Handler } from '../../http/handler.ts';
import { futureFaults, momentOf } from '../../moments.ts';
import { activateWebhook as activate } from '../../webhooks/activate.ts';
import { refuseFaults } from '../../webhooks/faults.ts';
import { webhookView } from '../../webhooks/subscriptions.ts';

export const activateWebhook: Handler<'activateWebhook'> = async ({ body }, { tenant, webhook, webhooks }) => {
  const replay_from = body?.replay_from ? momentOf(body.replay_from) : null;
  if (replay_from) refuseFaults(futureFaults('replay_from', replay_from));
  const row = await tenant.transaction((tx) => activate(tx, webhook.id, replay_from));
  return { status: 200, body: webhookView(row, webhooks) };
};
