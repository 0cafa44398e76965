/**
 * Lets a person leave a company, as they joined it (`collaborators/membership/link-user.ts`). The company keeps its record,
 * deactivated and without an account; to return, the person has to accept a new invitation.
 */
import { Problem } from '../../contract/problem.ts';
import { type Origin, recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { removeMembership } from '../collaborators/membership/link-user.ts';
import { changeStatus } from '../collaborators/status.ts';
import { statusReasons } from '../collaborators/status-reasons.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { adminRecipients } from './admin-recipients.ts';

/** `none`: not a member, or no longer one. Nothing has changed unless `left`. */
type LeaveResult = 'left' | 'last_admin' | 'none';

export async function leaveCompany(
  db: Database,
  mail: MailQueue,
  companyId: string,
  userId: string,
  origin: Origin,
): Promise<LeaveResult> {
  try {
    return await counted(db.tenant(companyId), (tx) => leave(tx, mail, userId, origin));
  } catch (error) {
    if (error instanceof Problem && error.code === 'last_admin') return 'last_admin';
    throw error;
  }
}

async function leave(tx: CountedTransaction, mail: MailQueue, userId: string, origin: Origin): Promise<LeaveResult> {
  await lockAdmins(tx);
  const found = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!found) return 'none';
  const row = await lockCollaborator(tx, found.id);
  if (row.user_id !== userId || row.status !== 'active') return 'none'; // changed while waiting for the lock
  await changeStatus(tx, { user_id: userId }, row, 'inactive', statusReasons.left);
  await tx.updateTable('collaborators').set({ user_id: null, accepted_at: null }).where('id', '=', row.id).execute();
  await removeMembership(tx, userId);
  await notifyAdmins(tx, mail, row.name);
  const target = { type: 'collaborator', id: row.id };
  recordAudit(tx, { action: 'membership.ended', actor: { type: 'user', user_id: userId }, origin, target });
  return 'left';
}

async function notifyAdmins(tx: CountedTransaction, mail: MailQueue, person: string): Promise<void> {
  const { company, admins } = await adminRecipients(tx);
  for (const { name, email: to, language } of admins) {
    await mail.queue(tx.raw, { template: 'left_company', to, language, values: { name, company, person } });
  }
}
