/**
 * Adds the missing jobs of subscriptions with overdue deliveries, after jobs were deleted, or the queue was restored without
 * them.
 */
import type { Task } from 'graphile-worker';
import type { AllCompanies } from '../../platform/db/across-companies.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { overdueWebhooks } from '../../product/delivery/overdue-deliveries.ts';
import { wakeWebhook, withoutJob } from '../../product/webhooks/subscriptions/wake-webhooks.ts';

/** @param patienceMs longer than an attempt takes, including its record */
export function wakeOverdueWebhooks(db: Database, all: AllCompanies, patienceMs: number, log: Logger): Task {
  return async () => {
    const lost = await withoutJob(db.global, await overdueWebhooks(all, patienceMs));
    for (const wakeup of lost) await wakeWebhook(db.global, wakeup);
    if (lost.length > 0)
      log.warn({ webhooks: lost.map(({ webhook_id: id }) => id) }, 'woke webhooks that had lost their jobs');
  };
}
