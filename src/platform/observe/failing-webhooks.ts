/** Metrics of the subscriptions that fail most: only a few, because a monitoring system keeps every label forever. */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

export interface FailingWebhook {
  company_id: string;
  webhook_id: string;
  consecutive_failures: number;
}

/** @returns the active ones, worst first; undefined if the query fails */
export async function failingWebhooks(pool: pg.Pool, most: number): Promise<FailingWebhook[] | undefined> {
  if (most === 0) return [];
  const text = `select company_id, id as webhook_id, consecutive_failures from webhooks
    where status = 'active' and consecutive_failures > 0
    order by consecutive_failures desc limit ${Number(most)}`;
  return pool.query<FailingWebhook>(text).then(
    ({ rows }) => rows,
    () => undefined,
  );
}

export function observeFailingWebhooks(registry: Registry, read: () => Promise<FailingWebhook[] | undefined>): void {
  new Gauge({
    name: 'webhook_failing_attempts',
    help: 'Failed attempts since the last success, for the METRICS_FAILING_WEBHOOKS active subscriptions with the most.',
    labelNames: ['company_id', 'webhook_id'],
    registers: [registry],
    async collect() {
      const failing = await read();
      this.reset();
      for (const {
        company_id: companyId,
        webhook_id: webhookId,
        consecutive_failures: consecutiveFailures,
      } of failing ?? []) {
        this.set({ company_id: companyId, webhook_id: webhookId }, consecutiveFailures);
      }
    },
  });
}
