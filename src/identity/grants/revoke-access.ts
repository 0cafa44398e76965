/** Ends all sessions and grants of a user, and nothing else: with the password they can sign in again. */
import type { Transaction } from 'kysely';
import { recordForUser } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';
import { type EncryptionKeys, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { endUserGrants } from './grants.ts';

const rows_at_once = 500;

/** What ties a browser to a user: a session, and a sign-in that is on its way. */
interface Artifact {
  accountId?: string;
  session?: { accountId?: string };
  result?: { login?: { accountId?: string } };
}

/**
 * Every process refuses the user's tokens as soon as it hears of this, and their browsers are signed out.
 * @returns how many grants and sessions there were
 */
export async function revokeAccess(
  db: Database,
  encryption_keys: EncryptionKeys,
  user_id: string,
): Promise<{ grants: number; sessions: number }> {
  const ended = await db.global.transaction().execute((tx) => endAllAccess(tx, encryption_keys, user_id));
  const target = { type: 'user', id: user_id };
  await recordForUser(db, user_id, { action: 'access.revoked', actor: { type: 'operator' }, target, details: ended });
  return ended;
}

/** The same as a part of a transaction. */
export async function endAllAccess(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  user_id: string,
): Promise<{ grants: number; sessions: number }> {
  const sessions = await endSessions(tx, encryption_keys, user_id);
  return { grants: await endUserGrants(tx, user_id), sessions };
}

/** Whose a session is stands in its encrypted part alone, so all are looked at, some at a time. */
async function endSessions(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  user_id: string,
): Promise<number> {
  const sealed = vault(encryption_keys, 'oauth-artifacts');
  let sessions = 0;
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await tx
      .selectFrom('oauth_artifacts')
      .select(['kind', 'id_hash', 'payload_encrypted'])
      .where('kind', 'in', ['Session', 'Interaction'])
      .where('id_hash', '>', last)
      .orderBy('id_hash')
      .limit(rows_at_once)
      .execute();
    const theirs = rows.filter((row) => belongsTo(user_id, JSON.parse(sealed.open(row.payload_encrypted))));
    if (theirs.length > 0) {
      const id_hashes = theirs.map(({ id_hash }) => id_hash);
      await tx
        .deleteFrom('oauth_artifacts')
        .where('kind', 'in', ['Session', 'Interaction'])
        .where('id_hash', 'in', id_hashes)
        .execute();
      sessions += theirs.filter(({ kind }) => kind === 'Session').length;
    }
    if (rows.length < rows_at_once) return sessions;
    last = rows.at(-1)!.id_hash;
  }
}

function belongsTo(user_id: string, { accountId, session, result }: Artifact): boolean {
  return [accountId, session?.accountId, result?.login?.accountId].includes(user_id);
}
