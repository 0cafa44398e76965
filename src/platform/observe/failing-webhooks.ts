/**
 * The subscriptions that fail most, as metrics. Each has labels of its own, so only a few are told: of all companies together
 * there may be a hundred thousand subscriptions, and a monitoring system keeps each name that it has once seen.
 */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

export interface FailingWebhook {
  company_id: string;
  webhook_id: string;
  consecutive_failures: number;
}

/** @returns those that are active, the worst first; undefined when the database does not say */
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
    help: 'Attempts since the last success, of the few active subscriptions that have most of them (METRICS_FAILING_WEBHOOKS).',
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
