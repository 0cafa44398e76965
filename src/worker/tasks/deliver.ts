/**
 * A subscription may have deliveries that are due. The courier looks; this job ends immediately, whatever the receiver
 * does.
 */
import type { Task } from 'graphile-worker';
import { validate } from 'uuid';
import type { Courier } from '../../product/delivery/courier.ts';
import type { Wakeup } from '../../product/webhooks/wake-webhooks.ts';

export function deliver(courier: Courier): Task {
  return (payload) => {
    const { company_id: companyId, webhook_id: webhookId } = payload as Partial<Wakeup>;
    if (!validate(companyId) || !validate(webhookId)) throw new Error('not a wake-up of a subscription');
    courier.wake({ company_id: companyId!, webhook_id: webhookId! });
  };
}
