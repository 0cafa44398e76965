/**
 * Waiting for what comes of a test. A worker sends it, in this process or in another, so it is looked for again and again,
 * and no connection is held in between. Only so many wait at a time; who is not one of them is told where to look.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { findDelivery } from './deliveries.ts';

const firstPauseMs = 40;
const longestPauseMs = 500;
/** In this process. */
const mostOfCompany = 5;
const most = 50;

type DeliveryRow = Awaited<ReturnType<typeof findDelivery>>;

export interface TestWaits {
  /**
   * @returns the delivery when it has ended; undefined when it takes too long, or too many wait
   * @throws 404 when its subscription is deleted meanwhile
   */
  ended(tenant: Tenant, delivery: { id: string; webhook_id: string }): Promise<DeliveryRow | undefined>;
}

/** @param longest_ms how long one waits */
export function createTestWaits(longestMs: number): TestWaits {
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
      if (all >= most || (byCompany.get(companyId) ?? 0) >= mostOfCompany) return undefined;
      count(companyId, 1);
      try {
        return await lookFor(tenant, delivery, longestMs);
      } finally {
        count(companyId, -1);
      }
    },
  };
}

async function lookFor(
  tenant: Tenant,
  { id, webhook_id: webhookId }: { id: string; webhook_id: string },
  longestMs: number,
): Promise<DeliveryRow | undefined> {
  const end = performance.now() + longestMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const leftMs = end - performance.now();
    if (leftMs <= 0) return undefined;
    await sleep(Math.min(pauseMs, leftMs));
    const row = await findDelivery(tenant, webhookId, id);
    if (row.completed_at !== null) return row;
  }
}
