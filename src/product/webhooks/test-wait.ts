/**
 * Waiting for what comes of a test. A worker sends it, in this process or in another, so it is looked for again and again,
 * and no connection is held in between. Only so many wait at a time; who is not one of them is told where to look.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../platform/db/tenant.ts';
import { findDelivery } from './deliveries.ts';

const first_pause_ms = 40;
const longest_pause_ms = 500;
/** In this process. */
const most_of_company = 5;
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
export function createTestWaits(longest_ms: number): TestWaits {
  const by_company = new Map<string, number>();
  let all = 0;

  function count(company_id: string, change: 1 | -1): void {
    all += change;
    const number = (by_company.get(company_id) ?? 0) + change;
    if (number > 0) by_company.set(company_id, number);
    else by_company.delete(company_id);
  }

  return {
    async ended(tenant, delivery) {
      const { company_id } = tenant;
      if (all >= most || (by_company.get(company_id) ?? 0) >= most_of_company) return undefined;
      count(company_id, 1);
      try {
        return await lookFor(tenant, delivery, longest_ms);
      } finally {
        count(company_id, -1);
      }
    },
  };
}

async function lookFor(
  tenant: Tenant,
  { id, webhook_id }: { id: string; webhook_id: string },
  longest_ms: number,
): Promise<DeliveryRow | undefined> {
  const end = performance.now() + longest_ms;
  for (let pause_ms = first_pause_ms; ; pause_ms = Math.min(pause_ms * 1.5, longest_pause_ms)) {
    const left_ms = end - performance.now();
    if (left_ms <= 0) return undefined;
    await sleep(Math.min(pause_ms, left_ms));
    const row = await findDelivery(tenant, webhook_id, id);
    if (row.completed_at !== null) return row;
  }
}
