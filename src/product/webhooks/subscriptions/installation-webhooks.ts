/**
 * Deactivates an installation's webhooks while it is suspended, so that its app gets no more events. Missed ones can be replayed.
 */
import type { Database } from '../../../platform/db/client.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { lockNumbering, reactivate } from './activate-webhook.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';
import { lockWebhook } from './subscriptions.ts';

const reason = 'installation_suspended';

/** Idempotent: aligns the webhooks with the current state of their installation. */
export async function followInstallation(
  { db, mail }: { db: Database; mail: MailQueue },
  companyId: string,
  installationId: string,
): Promise<void> {
  const tenant = db.tenant(companyId);
  const installation = await tenant.global
    .selectFrom('oauth_grants')
    .select('suspended_at')
    .where('id', '=', installationId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!installation) return; // ended: the company keeps the webhooks unchanged
  const isSuspended = installation.suspended_at !== null;
  for (const id of await webhooksOf(tenant, installationId, isSuspended)) {
    await tenant.transaction(async (tx) => {
      // The admins already get a mail about the installation.
      if (isSuspended) return void (await deactivateWebhook(tx, mail, id, { reason, user_id: installationId }));
      await lockNumbering(tx);
      const row = await lockWebhook(tx, id);
      if (row.deactivation_reason === reason) await reactivate(tx, row);
    });
  }
}

async function webhooksOf(tenant: Tenant, installationId: string, active: boolean): Promise<string[]> {
  const rows = await tenant
    .selectFrom('webhooks')
    .select('id')
    .where('created_by', '=', installationId)
    .where('status', '=', active ? 'active' : 'deactivated')
    .$if(!active, (query) => query.where('deactivation_reason', '=', reason))
    .execute();
  return rows.map(({ id }) => id);
}
