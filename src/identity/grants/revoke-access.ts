/** Ends all sessions and grants of a user, who can still sign in with the password. */
import type { Transaction } from 'kysely';
import { emailForm } from '../../contract/texts/email.ts';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { type EncryptionKeys, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import { artifactContext, revokeUserGrants } from './grants.ts';

const rowsAtOnce = 500;

type Kind = 'Session' | 'Interaction';
/** Sign-ins first: one that ends meanwhile leaves a session, which is then found. */
const browsing: readonly Kind[] = ['Interaction', 'Session'];

/** Links a browser to a user: a session, or a sign-in in progress or abandoned. */
interface Artifact {
  accountId?: string;
  params?: { login_hint?: unknown };
  session?: { accountId?: string };
  result?: { login?: { accountId?: string }; device?: string };
  lastSubmission?: { device?: string };
}

/** All processes reject the user's tokens once notified, and their browsers are signed out. @param by the actor */
export async function revokeAccess(
  db: Database,
  encryptionKeys: EncryptionKeys,
  userId: string,
  by: Pick<AuditEntry, 'actor' | 'origin'>,
): Promise<{ grants: number; sessions: number }> {
  return db.global.transaction().execute(async (tx) => {
    const details = await revokeAllAccess(tx, encryptionKeys, userId);
    await queueForUser(tx, userId, {
      ...by,
      action: 'access.revoked',
      target: { type: 'user', id: userId },
      details,
    });
    return details;
  });
}

/** The same within a transaction. */
export async function revokeAllAccess(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  userId: string,
): Promise<{ grants: number; sessions: number }> {
  const sessions = await revokeBrowserSessions(tx, encryptionKeys, browsing, (artifact) => belongsTo(userId, artifact));
  await revokeSessions(tx, { user_id: userId });
  const signedOutAt = new Date().toISOString();
  await tx.updateTable('user_devices').set({ signed_out_at: signedOutAt }).where('user_id', '=', userId).execute();
  return { grants: await revokeUserGrants(tx, userId), sessions };
}

/** Ends sign-ins in progress on a device, which could still open a session. */
export async function revokeSignInsOf(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  deviceId: string,
): Promise<void> {
  await revokeBrowserSessions(tx, encryptionKeys, ['Interaction'], ({ result, lastSubmission }) =>
    [result?.device, lastSubmission?.device].includes(deviceId),
  );
}

/** Deletes unfinished sign-ins that an app started for these addresses. @param addresses in lower case */
export async function deleteLoginHints(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  addresses: readonly string[],
): Promise<void> {
  await revokeBrowserSessions(tx, encryptionKeys, browsing, ({ params }) => {
    return typeof params?.login_hint === 'string' && addresses.includes(emailForm(params.login_hint).toLowerCase());
  });
}

/** Only the encrypted part says whose a session is, so this scans all of them in batches. @returns how many there were */
async function revokeBrowserSessions(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  kinds: readonly Kind[],
  isAffected: (artifact: Artifact) => boolean,
): Promise<number> {
  let sessions = 0;
  for (const kind of kinds) {
    const revoked = await revokeOfKind(tx, encryptionKeys, kind, isAffected);
    if (kind === 'Session') sessions += revoked;
  }
  return sessions;
}

/** One kind at a time: the primary key has no order across kinds, so each batch would read the whole table. */
async function revokeOfKind(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  kind: Kind,
  isAffected: (artifact: Artifact) => boolean,
): Promise<number> {
  const sealed = vault(encryptionKeys, 'oauth-artifacts');
  let revoked = 0;
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await tx
      .selectFrom('oauth_artifacts')
      .select(['id_hash', 'payload_encrypted'])
      .where('kind', '=', kind)
      .where('id_hash', '>', last)
      .orderBy('id_hash')
      .limit(rowsAtOnce)
      .execute();
    const idHashes = rows
      .filter(({ id_hash: idHash, payload_encrypted: payloadEncrypted }) =>
        isAffected(JSON.parse(sealed.open(payloadEncrypted, artifactContext(kind, idHash)))),
      )
      .map(({ id_hash: idHash }) => idHash);
    if (idHashes.length > 0) {
      await tx.deleteFrom('oauth_artifacts').where('kind', '=', kind).where('id_hash', 'in', idHashes).execute();
      revoked += idHashes.length;
    }
    if (rows.length < rowsAtOnce) return revoked;
    last = rows.at(-1)!.id_hash;
  }
}

function belongsTo(userId: string, { accountId, session, result }: Artifact): boolean {
  return [accountId, session?.accountId, result?.login?.accountId].includes(userId);
}
