/**
 * Removes the second factors of a person who lost them, by the operator, who has verified their identity. Ends all sessions and
 * apps, because the finder may be signed in. Jobs of the same transaction notify the person and their companies' admins, because
 * nothing would retry once the factors are gone.
 */
import type { Transaction } from 'kysely';
import { defaultLanguage } from '../../contract/languages/language.ts';
import { removeAllFactors } from '../../identity/factors/factors.ts';
import { revokeAllAccess } from '../../identity/grants/revoke-access.ts';
import { languageOfUser } from '../../identity/members/own-language.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { queueJob } from '../../platform/queue/job-versions.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { adminRecipients } from './admin-recipients.ts';

interface RemovedAccess {
  factors: number;
  grants: number;
  sessions: number;
}

/** @returns undefined, without changes, if they have no second factor */
export async function resetFactors(
  db: Database,
  mail: MailQueue,
  encryptionKeys: EncryptionKeys,
  user: { id: string; name: string; email: string },
): Promise<RemovedAccess | undefined> {
  const language = (await languageOfUser(db, user.id)) ?? defaultLanguage;
  return db.global.transaction().execute(async (tx) => {
    const factors = await removeAllFactors(tx, user.id);
    if (factors === 0) return undefined;
    const { name, email: to } = user;
    await mail.queue(tx, { template: 'factors_taken', to, language, values: { name } });
    const removed: RemovedAccess = { factors, ...(await revokeAllAccess(tx, encryptionKeys, user.id)) };
    await queueForUser(tx, user.id, {
      action: 'second_factor.removed',
      actor: { type: 'operator' },
      target: { type: 'user', id: user.id },
      details: { ...removed },
    });
    await queueMails(tx, user.id);
    return removed;
  });
}

export interface FactorsResetJob {
  company_id: string;
  collaborator_id: string;
}

/** One job per company, because companies of a cluster may be on different machines. */
async function queueMails(tx: Transaction<GlobalTables>, userId: string): Promise<void> {
  const jobs: FactorsResetJob[] = await tx
    .selectFrom('memberships')
    .select(['company_id', 'collaborator_id'])
    .where('user_id', '=', userId)
    .execute();
  for (const job of jobs) await queueJob(tx, 'notifyFactorsReset', job);
}

/** Uses the name in the company's own record. */
export async function notifyAdmins(
  db: Database,
  mail: MailQueue,
  { company_id: companyId, collaborator_id: collaboratorId }: FactorsResetJob,
): Promise<void> {
  await db.tenant(companyId).transaction(async (tx) => {
    const person = await tx
      .selectFrom('collaborators')
      .select('name')
      .where('id', '=', collaboratorId)
      .where('status', '=', 'active')
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!person) return;
    const { company, admins } = await adminRecipients(tx);
    for (const { name, email: to, language } of admins) {
      const values = { name, company, person: person.name };
      await mail.queue(tx.raw, { template: 'factors_of_person_taken', to, language, values });
    }
  });
}
