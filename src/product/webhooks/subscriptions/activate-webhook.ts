/** Activating a subscription again. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Quotas } from '../../companies/quotas.ts';
import { refuseWhileReplaying, replayMissed } from './replay-deliveries.ts';
import { lockWebhook, type WebhookRow, webhookColumns } from './subscriptions.ts';

/**
 * @param replay_from what was missed since then is sent too; null for nothing
 * @throws 404 when it was deleted since; 409 with `replay_from`, while deliveries are still being made again, and when more
 * would wait than the company may have
 */
export async function activateWebhook(
  tx: TenantTransaction,
  quotas: Quotas,
  id: string,
  replayFrom: Date | null,
): Promise<WebhookRow> {
  await holdNumbering(tx);
  const row = await lockWebhook(tx, id);
  if (replayFrom) await refuseWhileReplaying(tx, id);
  const active = await switchOn(tx, row);
  if (!replayFrom) return active;
  await wantFrom(tx, id, replayFrom);
  await replayMissed(tx, quotas, active, replayFrom);
  return active;
}

/** Where it is on already, nothing happens. */
export async function switchOn(tx: TenantTransaction, row: WebhookRow): Promise<WebhookRow> {
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

/** Also of what is still to be dispatched: that is not replayed, because it comes by itself. */
async function wantFrom(tx: TenantTransaction, id: string, from: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ wanted_from: sql<string>`least(wanted_from, ${from.toISOString()})` })
    .where('id', '=', id)
    .execute();
}

/**
 * No event of the company gets a number until the end of the transaction. One that has a number was given to the
 * subscriptions that were active then; one that gets it later finds what this transaction leaves behind. So none falls
 * between. Comes before the lock of the subscription, as where numbers are given.
 */
export async function holdNumbering(tx: TenantTransaction): Promise<void> {
  await tx
    .insertInto('event_sequences', {})
    .onConflict((row) => row.column('company_id').doUpdateSet({ last_sequence: sql`event_sequences.last_sequence` }))
    .execute();
}
