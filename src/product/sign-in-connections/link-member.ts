/**
 * Links a provider's subject to an existing member who has their own account. Two things are required: the provider states the
 * member's email address, and the member proves the account of that address as at a sign-in. Neither is enough alone.
 */
import { defaultLanguage } from '../../contract/languages/language.ts';
import { languageOfUser } from '../../identity/members/own-language.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import { lockCollaborator } from '../collaborators/write/change-collaborator.ts';
import { counted } from '../collaborators/write/collaborator-counts.ts';
import type { Claims } from './claims.ts';
import type { ConnectionAtSignIn } from './connection-at-sign-in.ts';
import { linkPerson, NotLinked, type SignInRefusal } from './subjects.ts';

/** @returns the email address in the claims; undefined if there is none, or if the provider says it is unverified */
export function emailIn({ email, email_verified: verified }: Claims): string | undefined {
  if (typeof email !== 'string' || email.includes('\0') || verified === false || verified === 'false') return undefined;
  return /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) ? email : undefined;
}

/**
 * @param user has just proved that the account is theirs
 * @returns `unknown` for a user who isn't an active member of the connection's company
 */
export async function linkMember(
  { db, mail }: { db: Database; mail: MailQueue },
  connection: ConnectionAtSignIn,
  subject: string,
  user: { id: string; email: string; name: string },
  origin: Origin,
): Promise<{ user_id: string } | { why: SignInRefusal }> {
  const language = (await languageOfUser(db, user.id)) ?? defaultLanguage;
  try {
    return await counted(db.tenant(connection.company_id), async (tx) => {
      await lockAdmins(tx);
      const found = await tx
        .selectFrom('collaborators')
        .select('id')
        .where('user_id', '=', user.id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      const row = found && (await lockCollaborator(tx, found.id));
      if (row?.user_id !== user.id || row.status !== 'active') return { why: 'unknown' };
      const linked = await linkPerson(tx, connection, subject, row, origin);
      const { name: company } = await tx.global
        .selectFrom('companies')
        .select('name')
        .where('id', '=', connection.company_id)
        .executeTakeFirstOrThrow();
      const values = { name: user.name, company, connection: connection.name };
      await mail.queue(tx.raw, { template: 'provider_linked', to: user.email, language, values });
      return { user_id: linked.user_id };
    });
  } catch (error) {
    if (error instanceof NotLinked) return { why: error.why };
    throw error;
  }
}
