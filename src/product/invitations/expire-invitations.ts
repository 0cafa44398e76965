/**
 * Records expired invitations, emits their event once, and mails the senders. One that was resent, used, or canceled is no longer
 * `sent`, and never expires.
 */
import { sql } from 'kysely';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { newestInvitation } from '../collaborators/membership/invitations.ts';
import { recordHistory } from '../collaborators/write/history.ts';
import { recipientOf } from '../companies/admin-recipients.ts';
import { emit } from '../events/emit.ts';

/** Small, because a batch locks its collaborators while it is written. */
const rowsPerTransaction = 100;
const maxNamed = 10;

export async function expireInvitations(tenant: Tenant, mail: MailQueue): Promise<number> {
  let expired = 0;
  // Most companies usually have none: they cost one index lookup.
  for (let more = await hasOverdue(tenant); more; ) {
    const written = await tenant.transaction((tx) => expireBatch(tx, mail));
    expired += written;
    more = written === rowsPerTransaction;
  }
  return expired;
}

async function hasOverdue(tenant: Tenant): Promise<boolean> {
  const found = await tenant
    .selectFrom('invitations')
    .select('id')
    .where('state', '=', 'sent')
    .where('expires_at', '<=', sql<string>`now()`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function expireBatch(tx: TenantTransaction, mail: MailQueue): Promise<number> {
  const overdue = await lockOverdue(tx);
  for (const { id, collaborator_id: collaboratorId, name, email, sent_at: sentAt, expires_at: expiresAt } of overdue) {
    await tx.updateTable('invitations').set({ state: 'expired' }).where('id', '=', id).execute();
    recordHistory(tx, {
      collaborator_id: collaboratorId,
      action: 'invitation_expired',
      description: `Invitation to ${email} expired`,
      user_id: null,
    });
    const { send_count: sendCount } = await newestInvitation(tx, collaboratorId);
    emit(tx, 'collaborator.invitation_expired', {
      collaborator_id: collaboratorId,
      name,
      email,
      sent_at: sentAt,
      expired_at: expiresAt,
      send_count: sendCount,
    });
  }
  for (const [sentBy, invitations] of Map.groupBy(overdue, (each) => each.sent_by))
    await notifyInviter(tx, mail, sentBy, invitations);
  return overdue.length;
}

/** One mail for all of them, because an import may have invited many. */
async function notifyInviter(
  tx: TenantTransaction,
  mail: MailQueue,
  sentBy: string | null,
  expired: readonly { collaborator_id: string; name: string }[],
): Promise<void> {
  const recipient = await recipientOf(tx, sentBy);
  if (!recipient) return;
  const { name, email: to, language, company } = recipient;
  const people = expired.slice(0, maxNamed).map((each) => each.name);
  const more = expired.length > maxNamed ? ' …' : '';
  const consolePage = expired.length === 1 ? `people/${expired[0]!.collaborator_id}` : 'people?status=pending';
  const values = {
    name,
    company,
    people: people.join(', ') + more,
    count: expired.length,
    consolePath: `/console/${tx.company_id}/${consolePage}`,
  };
  await mail.queueOfCompany(tx, [{ template: 'invitations_expired', to, language, values }]);
}

/**
 * Locks the collaborators too, like all changes of invitations. People locked by another transaction are left to the next run.
 */
async function lockOverdue(tx: TenantTransaction) {
  return tx
    .selectFrom('invitations as i')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.collaborator_id'),
    )
    .select(['i.id', 'i.collaborator_id', 'i.sent_by', 'i.sent_at', 'i.expires_at', 'c.name', 'c.email'])
    .where('i.state', '=', 'sent')
    .where('i.expires_at', '<=', sql<string>`now()`)
    .where('c.deleted_at', 'is', null)
    .orderBy('i.expires_at')
    .limit(rowsPerTransaction)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}
