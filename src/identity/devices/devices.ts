/** Devices that a user signs in with: browsers identified by a cookie. Signing one out ends its sessions and its grants. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import { type EncryptionKeys, secretHash } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';
import { revokeUserGrants } from '../grants/grants.ts';
import { refreshTotalS } from '../grants/lifetimes.ts';
import { revokeSignInsOf } from '../grants/revoke-access.ts';
import { revokeSessions } from '../sessions/sessions.ts';
import { describeDevice } from '../users/describe-device.ts';

/** More than people have; beyond it, the least recently seen one is signed out, so that all are listed. */
const maxDevices = 100;
/** Limits how often the last-seen time is written. */
const seenIntervalMs = 600_000;

interface SignInSource {
  /** The id from the browser's cookie. */
  cookieId: string;
  ip: string | null;
  user_agent: string | undefined;
  /** The session at a company's provider that the sign-in came from (`providerSessionHash`), if it names one. */
  provider_session?: Buffer | undefined;
}

/** @returns its id, and whether the user had signed it out before, so that it doesn't count as known */
export async function recordDevice(
  db: Database,
  encryptionKeys: EncryptionKeys,
  userId: string,
  { cookieId, ip, user_agent: userAgent, provider_session: providerSession = undefined }: SignInSource,
): Promise<{ id: string; wasSignedOut: boolean }> {
  const words = describeDevice(userAgent) ?? null;
  const at = new Date().toISOString();
  const lastSeen = { words, last_ip: ip, last_seen_at: at, provider_session_hash: providerSession ?? null };
  const deviceHash = secretHash(cookieId);
  return db.global.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('user_devices')
      .select(['id', 'signed_out_at'])
      .where('user_id', '=', userId)
      .where('device_hash', '=', deviceHash)
      .executeTakeFirst();
    const { id } = await tx
      .insertInto('user_devices')
      .values({ id: newId(), user_id: userId, device_hash: deviceHash, ...lastSeen })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'device_hash']).doUpdateSet({ ...lastSeen, signed_out_at: null }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    if (!known) await removeExcess(tx, encryptionKeys, userId);
    return { id, wasSignedOut: Boolean(known?.signed_out_at) };
  });
}

async function removeExcess(tx: Transaction<GlobalTables>, encryptionKeys: EncryptionKeys, userId: string) {
  const beyond = await tx
    .selectFrom('user_devices')
    .select('id')
    .where('user_id', '=', userId)
    .where('signed_out_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .offset(maxDevices)
    .limit(1)
    .execute();
  for (const { id } of beyond) await signOutDevice(tx, encryptionKeys, userId, id);
}

/** Called when a session is used. */
export async function touchDevice(db: Database, sessionUid: string, ip: string | null): Promise<void> {
  const nowMs = Date.now();
  await db.global
    .updateTable('user_devices')
    .set({ last_seen_at: new Date(nowMs).toISOString(), last_ip: ip })
    .where('id', '=', (eb) =>
      eb.selectFrom('user_sessions').select('device_id').where('uid_hash', '=', secretHash(sessionUid)),
    )
    .where('last_seen_at', '<', new Date(nowMs - seenIntervalMs).toISOString())
    .execute();
}

interface Device {
  id: string;
  words: string | null;
  last_ip: string | null;
  created_at: string;
  last_seen_at: string;
  /** Whether it has the requesting session. */
  is_this: boolean;
  is_signed_in: boolean;
  /** The number of its active grants to apps. */
  app_count: number;
}

/** @param sessionUid of the requesting browser @returns devices that aren't signed out, most recently seen first */
export async function listDevices(db: Database, userId: string, sessionUid: string): Promise<Device[]> {
  const now = new Date().toISOString();
  const rows = await db.global
    .selectFrom('user_devices as d')
    .select([
      'd.id',
      'd.words',
      'd.last_ip',
      'd.created_at',
      'd.last_seen_at',
      ({ selectFrom, exists }) =>
        exists(
          selectFrom('user_sessions as s')
            .innerJoin('oauth_artifacts as a', 'a.uid_hash', 's.uid_hash')
            .select('s.uid_hash')
            .whereRef('s.device_id', '=', 'd.id')
            .where('a.kind', '=', 'Session')
            .where('a.expires_at', '>', now),
        ).as('is_signed_in'),
      ({ selectFrom, exists }) =>
        exists(
          selectFrom('user_sessions as t')
            .select('t.uid_hash')
            .whereRef('t.device_id', '=', 'd.id')
            .where('t.uid_hash', '=', secretHash(sessionUid)),
        ).as('is_this'),
      ({ selectFrom, fn }) =>
        selectFrom('oauth_grants as g')
          .select(fn.countAll<number>().as('count'))
          .whereRef('g.device_id', '=', 'd.id')
          .where('g.installation_role', 'is', null)
          .where('g.revoked_at', 'is', null)
          .where('g.expires_at', '>', now)
          .as('app_count'),
    ])
    .where('d.user_id', '=', userId)
    .where('d.signed_out_at', 'is', null)
    .orderBy('d.last_seen_at', 'desc')
    .orderBy('d.id')
    .limit(sql.lit(maxDevices))
    .execute();
  return rows.map((row) => ({
    ...row,
    is_signed_in: Boolean(row.is_signed_in),
    is_this: Boolean(row.is_this),
    app_count: Number(row.app_count),
  }));
}

/** Its grants' tokens are rejected everywhere as soon as this commits. @returns undefined if there is nothing to sign out */
export async function signOutDevice(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  userId: string,
  id: string,
): Promise<{ grants: number; sessions: number } | undefined> {
  const device = await tx
    .updateTable('user_devices')
    .set({ signed_out_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('signed_out_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!device) return undefined;
  return revokeDeviceAccess(tx, encryptionKeys, userId, id);
}

async function revokeDeviceAccess(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  userId: string,
  id: string,
): Promise<{ grants: number; sessions: number }> {
  const sessions = await revokeSessions(tx, { device_id: id });
  await revokeSignInsOf(tx, encryptionKeys, id);
  return { grants: await revokeUserGrants(tx, userId, id), sessions };
}

/** Identifies a session at a company's provider. @param sid the provider's id of the session (OpenID Connect Front-Channel Logout) */
export function providerSessionHash(connectionId: string, sid: string): Buffer {
  return secretHash(`${connectionId}\n${sid}`);
}

/**
 * Ends what was opened with a session at a company's provider. The devices stay known: people sign in with them again.
 * @param userId the required owner of the session; undefined for any
 * @returns the users who were signed out
 */
export async function revokeProviderSession(
  tx: Transaction<GlobalTables>,
  encryptionKeys: EncryptionKeys,
  providerSession: Buffer,
  userId: string | undefined,
): Promise<string[]> {
  const devices = await tx
    .updateTable('user_devices')
    .set({ provider_session_hash: null })
    .where('provider_session_hash', '=', providerSession)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .returning(['id', 'user_id'])
    .execute();
  for (const { id, user_id: owner } of devices) await revokeDeviceAccess(tx, encryptionKeys, owner, id);
  return [...new Set(devices.map(({ user_id: owner }) => owner))];
}

/** A worker task: removes devices that haven't been seen for longer than any grant lasts. @returns how many */
export async function removeOldDevices(db: Database): Promise<number> {
  const before = new Date(Date.now() - refreshTotalS * 1_000).toISOString();
  return removeOlder(db.global, 'user_devices', 'last_seen_at', before);
}
