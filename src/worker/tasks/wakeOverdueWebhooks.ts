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

/** @param graceMs longer than an attempt takes, including its record */
export function wakeOverdueWebhooks(db: Database, all: AllCompanies, graceMs: number, log: Logger): Task {
  return async () => {
    const overdue = await withoutJob(db.global, await overdueWebhooks(all, graceMs));
    for (const wakeup of overdue) await wakeWebhook(db.global, wakeup);
    if (overdue.length > 0)
      log.warn({ webhooks: overdue.map(({ webhook_id: id }) => id) }, 'woke webhooks that had lost their jobs');
  };
}
