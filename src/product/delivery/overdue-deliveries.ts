/** Finds deliveries whose job was lost. The query spans companies, and runs only in the worker, on its own connection. */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';
import type { Wakeup } from '../webhooks/subscriptions/wake-webhooks.ts';

const maxWebhooks = 1_000;

export async function overdueWebhooks(all: AllCompanies, graceMs: number): Promise<Wakeup[]> {
  return acrossCompanies<Wakeup>(
    all,
    'deliveries',
    (deliveries) =>
      `select company_id, webhook_id from ${deliveries}
       where due_at at time zone 'UTC' < now() at time zone 'UTC' - interval '${Number(graceMs)} ms'
       group by company_id, webhook_id order by min(due_at) limit ${maxWebhooks}`,
  );
}
