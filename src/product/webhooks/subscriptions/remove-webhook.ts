/**
 * Deletes subscriptions. Their log becomes inaccessible immediately, because lookups go through the subscription, and is removed
 * later.
 */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { cancelWaiting } from './deactivate-webhook.ts';

interface RemovedWebhook {
  id: string;
  deleted_at: string;
}

/** Waiting deliveries are canceled; attempts in progress finish. @param selector by id, or all with an equivalent URL */
export async function removeWebhooks(
  tx: TenantTransaction,
  selector: { id: string } | { url: string },
): Promise<RemovedWebhook[]> {
  const [column, values] =
    'id' in selector ? (['id', [selector.id]] as const) : (['url', urlVariants(selector.url)] as const);
  const locked = await tx
    .selectFrom('webhooks')
    .select(['id', sql<string>`statement_timestamp()`.as('deleted_at')])
    .where(column, 'in', values)
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return [];
  for (const id of ids) await cancelWaiting(tx, id);
  await tx.deleteFrom('webhooks').where('id', 'in', ids).execute();
  return locked;
}

function urlVariants(url: string): string[] {
  return [url, URL.parse(url)?.href ?? url];
}
