/** One turn of a subscription. The job's lock lasts as long as the turn, so no other turn sends its deliveries meanwhile. */
import type { Task } from 'graphile-worker';
import { validate } from 'uuid';
import type { Turns } from '../../product/delivery/running-turns.ts';
import type { Wakeup } from '../../product/webhooks/subscriptions/wake-webhooks.ts';

export function deliverWebhook(turns: Turns): Task {
  return async (payload, { job }) => {
    const { company_id: companyId, webhook_id: webhookId } = payload as Partial<Wakeup>;
    if (!validate(companyId) || !validate(webhookId)) throw new Error('not a turn of a subscription');
    await turns.run({ company_id: companyId!, webhook_id: webhookId! }, Number(job.id));
  };
}
