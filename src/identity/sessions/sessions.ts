/** The user and device of browser sessions, to list and end them. The sessions themselves are encrypted artifacts. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

/** Longer than a session lives. */
const retentionMs = 86_400_000;

/** The key of the device id in the result of a sign-in. */
export const signedInDevice = 'device';

/** @param uid of the session, which stays the same when its cookie changes */
export async function saveSession(
  db: Database,
  { uid, user_id: userId, device_id: deviceId }: { uid: string; user_id: string; device_id: string },
): Promise<void> {
  const createdAt = new Date().toISOString();
  await db.global
    .insertInto('user_sessions')
    .values({ uid_hash: secretHash(uid), user_id: userId, device_id: deviceId, created_at: createdAt })
    .onConflict((conflict) =>
      conflict.column('uid_hash').doUpdateSet({ user_id: userId, device_id: deviceId, created_at: createdAt }),
    )
    .execute();
}

/** @returns the device; undefined for a session of an older version */
export async function deviceOfSession(db: Database, uid: string): Promise<string | undefined> {
  const row = await db.global
    .selectFrom('user_sessions')
    .select('device_id')
    .where('uid_hash', '=', secretHash(uid))
    .executeTakeFirst();
  return row?.device_id;
}

/** @param but the uid of a session that continues @returns how many ended */
export async function revokeSessions(
  tx: Transaction<GlobalTables>,
  owner: { user_id: string } | { device_id: string },
  but = '',
): Promise<number> {
  const all = tx.deleteFrom('user_sessions').where('uid_hash', '<>', secretHash(but)).returning('uid_hash');
  const ownedSessions =
    'user_id' in owner ? all.where('user_id', '=', owner.user_id) : all.where('device_id', '=', owner.device_id);
  const ended = await ownedSessions.execute();
  const hashes = ended.map(({ uid_hash: uidHash }) => uidHash);
  const artifacts = await tx
    .deleteFrom('oauth_artifacts')
    .where('kind', '=', 'Session')
    .where('uid_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .executeTakeFirst();
  return Number(artifacts.numDeletedRows);
}

/** For the worker. @returns how many */
export async function removeOldSessions(db: Database): Promise<number> {
  const before = new Date(Date.now() - retentionMs).toISOString();
  return removeOlder(db.global, 'user_sessions', 'created_at', before);
}
