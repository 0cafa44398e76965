/** Reports a failed import by mail, because no one may be watching it. */
import type { Text } from '../../contract/languages/text.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import { adminRecipients } from '../companies/admin-recipients.ts';
import type { ImportRow } from './state/find-import.ts';

/** Notifies the admin who started it; all admins if that person no longer is one, or it was a program. */
export async function notifyFailed(
  tx: TenantTransaction,
  mail: MailQueue,
  { id, filename, created_by: createdBy, committed_by: committedBy }: ImportRow,
  message: Text,
): Promise<void> {
  const { company, admins } = await adminRecipients(tx);
  const starter = admins.filter(({ user_id: userId }) => userId === (committedBy ?? createdBy));
  const consolePath = `/console/${tx.company_id}/imports/${id}`;
  const mails = (starter.length > 0 ? starter : admins).map(({ name, email: to, language }): Mail => {
    const explanation = message.translate(language).slice(0, maxExplanation);
    return { template: 'import_failed', to, language, values: { name, company, filename, explanation, consolePath } };
  });
  await mail.queueOfCompany(tx, mails);
}

const maxExplanation = 500;
