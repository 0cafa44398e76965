/** Ends all sessions and grants of a user, and nothing else: with the password they can sign in again. */
import type { Transaction } from 'kysely';
import { emailForm } from '../../contract/texts/email.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { type EncryptionKeys, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { endSessions } from '../sessions/sessions.ts';
import { artifactPlace, endUserGrants } from './grants.ts';

const rows_at_once = 500;

type Kind = 'Session' | 'Interaction';
const browsing: readonly Kind[] = ['Session', 'Interaction'];

/** What ties a browser to a user: a session, and a sign-in that is on its way, or was begun with their address and left. */
interface Artifact {
  accountId?: string;
  params?: { login_hint?: unknown };
  session?: { accountId?: string };
  result?: { login?: { accountId?: string }; device?: string };
  lastSubmission?: { device?: string };
}

/**
 * Every process refuses the user's tokens as soon as it hears of this, and their browsers are signed out.
 * @param by who it is told of in the audit log
 * @returns how many grants and sessions there were
 */
export async function revokeAccess(
  db: Database,
  encryption_keys: EncryptionKeys,
  user_id: string,
  by: Pick<AuditEntry, 'actor' | 'origin'>,
): Promise<{ grants: number; sessions: number }> {
  return db.global.transaction().execute(async (tx) => {
    const details = await endAllAccess(tx, encryption_keys, user_id);
    await queueForUser(tx, user_id, {
      ...by,
      action: 'access.revoked',
      target: { type: 'user', id: user_id },
      details,
    });
    return details;
  });
}

/** The same as a part of a transaction. */
export async function endAllAccess(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  user_id: string,
): Promise<{ grants: number; sessions: number }> {
  const sessions = await endBrowsing(tx, encryption_keys, browsing, (artifact) => belongsTo(user_id, artifact));
  await endSessions(tx, { user_id });
  const signed_out_at = new Date().toISOString();
  await tx.updateTable('user_devices').set({ signed_out_at }).where('user_id', '=', user_id).execute();
  return { grants: await endUserGrants(tx, user_id), sessions };
}

/** Ends sign-ins that are on their way in a device, and could still open a session. */
export async function endSignInsOf(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  device_id: string,
): Promise<void> {
  await endBrowsing(tx, encryption_keys, ['Interaction'], ({ result, lastSubmission }) =>
    [result?.device, lastSubmission?.device].includes(device_id),
  );
}

/** Forgets sign-ins that an app began for one of these addresses, and nobody finished. @param addresses in lower case */
export async function forgetHints(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  addresses: readonly string[],
): Promise<void> {
  await endBrowsing(tx, encryption_keys, browsing, ({ params }) => {
    return typeof params?.login_hint === 'string' && addresses.includes(emailForm(params.login_hint).toLowerCase());
  });
}

/**
 * Whose a session is stands in its encrypted part alone, so all are looked at, some at a time.
 * @returns how many sessions there were
 */
async function endBrowsing(
  tx: Transaction<GlobalTables>,
  encryption_keys: EncryptionKeys,
  kinds: readonly Kind[],
  isTheirs: (artifact: Artifact) => boolean,
): Promise<number> {
  const sealed = vault(encryption_keys, 'oauth-artifacts');
  let sessions = 0;
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await tx
      .selectFrom('oauth_artifacts')
      .select(['kind', 'id_hash', 'payload_encrypted'])
      .where('kind', 'in', kinds)
      .where('id_hash', '>', last)
      .orderBy('id_hash')
      .limit(rows_at_once)
      .execute();
    const theirs = rows.filter(({ kind, id_hash, payload_encrypted }) => {
      return isTheirs(JSON.parse(sealed.open(payload_encrypted, artifactPlace(kind, id_hash))));
    });
    if (theirs.length > 0) {
      const id_hashes = theirs.map(({ id_hash }) => id_hash);
      await tx.deleteFrom('oauth_artifacts').where('kind', 'in', kinds).where('id_hash', 'in', id_hashes).execute();
      sessions += theirs.filter(({ kind }) => kind === 'Session').length;
    }
    if (rows.length < rows_at_once) return sessions;
    last = rows.at(-1)!.id_hash;
  }
}

function belongsTo(user_id: string, { accountId, session, result }: Artifact): boolean {
  return [accountId, session?.accountId, result?.login?.accountId].includes(user_id);
}
