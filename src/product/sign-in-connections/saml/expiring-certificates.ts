/**
 * Certificates that expire: admins see them on the console's home, and get an email 30 days before the last certificate of a SAML provider expires. Signatures are accepted after that, but the
 * provider replaces its certificate by then, and sign-ins fail unless the new one is known here.
 */
import type { components } from '../../../../generated/api.ts';
import type { Database } from '../../../platform/db/client.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { adminRecipients } from '../../companies/admin-recipients.ts';
import { certificateResponse } from './certificates.ts';
import { withFreshMetadata } from './refresh-metadata.ts';

type ExpiringCertificate = components['schemas']['ExpiringCertificate'];

const warningMs = 30 * 86_400_000;

interface Context {
  db: Database;
  mail: MailQueue;
  signIn: { allow_private: boolean };
  log: Logger;
}

/** Enabled connections whose last certificate has expired or expires within 30 days. */
export async function expiringCertificates(tenant: Tenant): Promise<ExpiringCertificate[]> {
  const known = (await enabledSaml(tenant)).map((each) => ({ ...each, expires_at: lastExpiry(each) }));
  return known
    .filter((each) => isSoon(each.expires_at))
    .map(({ id, name, expires_at: expiresAt }) => ({
      connection_id: id,
      connection_name: name,
      expires_at: expiresAt,
    }));
}

/** Once for each last certificate of an enabled connection. @returns the number of connections */
export async function warnOfCertificates(tenant: Tenant, context: Context): Promise<number> {
  let warned = 0;
  for (const known of await enabledSaml(tenant)) {
    const { certificates: _, ...connection } = known;
    if (!isSoon(lastExpiry(known))) continue;
    // The provider may have published the next one since the last sign-in.
    const expiresAt = lastExpiry(await withFreshMetadata(context, known));
    if (isSoon(expiresAt) && (await warn(tenant, context.mail, connection, expiresAt))) warned += 1;
  }
  return warned;
}

async function enabledSaml(tenant: Tenant) {
  const rows = await tenant.global
    .selectFrom('sign_in_connections')
    .select(['id', 'name', 'issuer', 'metadata_url', 'certificates'])
    .where('company_id', '=', tenant.company_id)
    .where('kind', '=', 'saml')
    .where('status', '=', 'enabled')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, certificates: row.certificates ?? [] }));
}

function lastExpiry({ certificates }: { certificates: readonly string[] }): string {
  return (
    certificates
      .map((pem) => certificateResponse(pem).expires_at)
      .sort()
      .at(-1) ?? ''
  );
}

function isSoon(expiresAt: string): boolean {
  return Date.parse(expiresAt) < Date.now() + warningMs;
}

/** @returns false if the admins know already */
async function warn(
  tenant: Tenant,
  mail: MailQueue,
  { id, name: connection }: { id: string; name: string },
  expiresAt: string,
): Promise<boolean> {
  return tenant.transaction(async (tx) => {
    const marked = await tx.global
      .updateTable('sign_in_connections')
      .set({ certificate_warned_for: expiresAt })
      .where('id', '=', id)
      .where('company_id', '=', tx.company_id)
      .where('certificate_warned_for', 'is distinct from', expiresAt)
      .returning('id')
      .executeTakeFirst();
    if (!marked) return false;
    const { company, admins } = await adminRecipients(tx);
    const consolePath = `/console/${tx.company_id}/sign-in/${id}`;
    const about = { company, connection, date: expiresAt.slice(0, 10), consolePath };
    const mails = admins.map(
      ({ name, email: to, language }): Mail => ({
        template: 'certificate_expiring',
        to,
        language,
        values: { name, ...about },
      }),
    );
    await mail.queueOfCompany(tx, mails);
    return true;
  });
}
