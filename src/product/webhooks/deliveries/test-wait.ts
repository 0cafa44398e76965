/**
 * Waits for the result of a test delivery, which may run in another process: polls without holding a connection. The number of
 * waiting requests is limited; others get the address to poll.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { findDelivery } from './deliveries.ts';

const firstPauseMs = 40;
const maxPauseMs = 500;
/** Limits of this process. */
const maxOfCompany = 5;
const maxWaits = 50;

type DeliveryRow = Awaited<ReturnType<typeof findDelivery>>;

export interface TestWaits {
  /** @returns undefined on timeout, or above the limits @throws 404 if its subscription is deleted meanwhile */
  ended(tenant: Tenant, delivery: { id: string; webhook_id: string }): Promise<DeliveryRow | undefined>;
}

export function createTestWaits(maxMs: number): TestWaits {
  const byCompany = new Map<string, number>();
  let all = 0;

  function count(companyId: string, change: 1 | -1): void {
    all += change;
    const number = (byCompany.get(companyId) ?? 0) + change;
    if (number > 0) byCompany.set(companyId, number);
    else byCompany.delete(companyId);
  }

  return {
    async ended(tenant, delivery) {
      const { company_id: companyId } = tenant;
      if (all >= maxWaits || (byCompany.get(companyId) ?? 0) >= maxOfCompany) return undefined;
      count(companyId, 1);
      try {
        return await pollDelivery(tenant, delivery, maxMs);
      } finally {
        count(companyId, -1);
      }
    },
  };
}

async function pollDelivery(
  tenant: Tenant,
  { id, webhook_id: webhookId }: { id: string; webhook_id: string },
  maxMs: number,
): Promise<DeliveryRow | undefined> {
  const end = performance.now() + maxMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const remainingMs = end - performance.now();
    if (remainingMs <= 0) return undefined;
    await sleep(Math.min(pauseMs, remainingMs));
    const row = await findDelivery(tenant, webhookId, id);
    if (row.completed_at !== null) return row;
  }
}
