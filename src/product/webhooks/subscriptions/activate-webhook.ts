import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Quotas } from '../../companies/quotas.ts';
import { refuseWhileReplaying, replayMissed } from './replay-deliveries.ts';
import { lockWebhook, type WebhookRow, webhookColumns } from './subscriptions.ts';

/**
 * @param replayFrom also sends what was missed since; null for nothing
 * @throws 404 if it was deleted meanwhile; 409 while a replay is still running, or above the quota of waiting deliveries
 */
export async function activateWebhook(
  tx: TenantTransaction,
  quotas: Quotas,
  id: string,
  replayFrom: Date | null,
): Promise<WebhookRow> {
  await lockNumbering(tx);
  const row = await lockWebhook(tx, id);
  if (replayFrom) await refuseWhileReplaying(tx, id);
  const active = await reactivate(tx, row);
  if (!replayFrom) return active;
  await subscribeFrom(tx, id, replayFrom);
  await replayMissed(tx, quotas, active, replayFrom);
  return active;
}

/** Does nothing if already active. */
export async function reactivate(tx: TenantTransaction, row: WebhookRow): Promise<WebhookRow> {
  if (row.status === 'active') return row;
  return tx
    .updateTable('webhooks')
    .set({
      status: 'active',
      deactivated_at: null,
      deactivation_reason: null,
      consecutive_failures: 0,
      warned_at: null,
      wanted_from: sql<string>`statement_timestamp()`,
      updated_at: sql<string>`statement_timestamp()`,
    })
    .where('id', '=', row.id)
    .returning(webhookColumns)
    .executeTakeFirstOrThrow();
}

/** Covers undispatched events too: the replay omits them, and the dispatcher delivers them. */
async function subscribeFrom(tx: TenantTransaction, id: string, from: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ wanted_from: sql<string>`least(wanted_from, ${from.toISOString()})` })
    .where('id', '=', id)
    .execute();
}

/**
 * Blocks numbering in the company: events with a number went to the subscriptions active then; later ones see the result of this
 * transaction, so none falls between. Taken before the lock of the subscription, as numbering does.
 */
export async function lockNumbering(tx: TenantTransaction): Promise<void> {
  await tx
    .insertInto('event_sequences', {})
    .onConflict((row) => row.column('company_id').doUpdateSet({ last_sequence: sql`event_sequences.last_sequence` }))
    .execute();
}
