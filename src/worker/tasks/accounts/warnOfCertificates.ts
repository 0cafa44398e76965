/** Daily: warns admins of certificates of SAML providers that expire soon. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { warnOfCertificates as warnCompany } from '../../../product/sign-in-connections/saml/expiring-certificates.ts';
import { inEachCompany } from '../each-company.ts';

/** @param signIn whether private addresses are allowed, for the metadata of providers */
export function warnOfCertificates(
  db: Database,
  mail: MailQueue,
  signIn: { allow_private: boolean },
  log: Logger,
): Task {
  return async () => {
    const found = await db.global
      .selectFrom('sign_in_connections')
      .select('company_id')
      .distinct()
      .where('kind', '=', 'saml')
      .where('status', '=', 'enabled')
      .execute();
    const companies = found.map(({ company_id: companyId }) => companyId);
    const warned = await inEachCompany(db, (tenant) => warnCompany(tenant, { db, mail, signIn, log }), companies);
    if (warned > 0) log.info({ warned }, 'warned admins about expiring certificates');
  };
}
