/** Accepts an invitation by a sign-in with the company's provider, in place of a password. */
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Claims } from '../sign-in-connections/claims.ts';
import type { ConnectionAtSignIn } from '../sign-in-connections/connection-at-sign-in.ts';
import { linkPerson, NotLinked, type SignInRefusal } from '../sign-in-connections/subjects.ts';
import { acceptWithin } from './accept-invitation.ts';

/** The invitation must belong to the provider's company. @returns `gone` for a link that can't be used (anymore) */
export async function acceptByProvider(
  db: Database,
  connection: ConnectionAtSignIn,
  token: string,
  claims: Claims,
  origin: Origin,
): Promise<'accepted' | 'gone' | SignInRefusal> {
  try {
    return await acceptWithin(db, token, connection.company_id, origin, (tx, row) =>
      linkPerson(tx, connection, claims.sub, row, origin),
    );
  } catch (error) {
    if (error instanceof NotLinked) return error.why;
    throw error;
  }
}
