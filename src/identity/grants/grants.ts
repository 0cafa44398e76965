/** Grants: what a user allowed a client. Access tokens name their grant, so revoking it revokes all its tokens immediately. */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { inParts, rowsPerRemoval } from '../../platform/db/remove-older.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { type SealContext, secretHash } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newProviderPlaceholder } from '../provider-users/provider-mark.ts';

/** Longer than an access token lives, and long enough to investigate incidents. */
const endedRetentionDays = 30;

/** The place for encrypting the payload of a code, token, or session. */
export function artifactContext(kind: string, idHash: Buffer): SealContext {
  return ['oauth_artifacts', 'payload_encrypted', kind, idHash];
}

/** Revokes a grant: deletes its codes and refresh tokens; its access tokens are rejected everywhere. Idempotent. */
export async function revokeGrant(db: Kysely<GlobalTables>, grantId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The library makes several concurrent calls for one grant; the row lock serializes them.
    await tx.selectFrom('oauth_grants').select('id').where('id', '=', grantId).forUpdate().execute();
    await revokeGrants(tx, [grantId]);
  });
}

/** Revokes several grants in one transaction, and notifies every process on commit. */
export async function revokeGrants(tx: Transaction<GlobalTables>, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return;
  const now = new Date().toISOString();
  const ended = await tx
    .updateTable('oauth_grants')
    .set({ revoked_at: now })
    .where('id', '=', sql<string>`any(${grantIds}::text[])`)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  const artifacts = () => tx.deleteFrom('oauth_artifacts');
  await artifacts().where('grant_id', '=', sql<string>`any(${grantIds}::text[])`).execute();
  const idHashes = grantIds.map(secretHash);
  await artifacts().where('kind', '=', 'Grant').where('id_hash', '=', sql<Buffer>`any(${idHashes}::bytea[])`).execute();
  await notifyAccessChanged(tx, ...ended.map(({ id }) => ({ grant_id: id })));
}

/** Revokes everything a user granted, on all devices or only this one. @returns how many grants there were */
export async function revokeUserGrants(
  tx: Transaction<GlobalTables>,
  userId: string,
  deviceId?: string,
): Promise<number> {
  // Serializes with concurrent consent (`consent.ts`).
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  let granted = tx
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', userId)
    .where('installation_role', 'is', null) // belongs to its company
    .where('revoked_at', 'is', null);
  if (deviceId !== undefined) granted = granted.where('device_id', '=', deviceId);
  const rows = await granted.orderBy('id').forUpdate().execute();
  await revokeGrants(
    tx,
    rows.map(({ id }) => id),
  );
  await notifyAccessChanged(tx, { user_id: userId });
  return rows.length;
}

/** Removes a company from users' grants, and revokes empty ones. Signs out users that exist only for this company. */
export async function revokeCompanyGrants(
  tx: Transaction<GlobalTables>,
  userIds: readonly string[],
  companyId: string,
): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .updateTable('users')
    .set({ password_hash: newProviderPlaceholder() })
    .where('id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('only_company_id', '=', companyId)
    .execute();
  const grants = await tx
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('installation_role', 'is', null) // belongs to the company
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`${companyId}::uuid = any(company_ids)`)
    .orderBy('id') // the common lock order, against deadlocks
    .forUpdate()
    .execute();
  const ids = grants.map(({ id }) => id);
  const rows = await tx
    .updateTable('oauth_grants')
    .set({ company_ids: sql`array_remove(company_ids, ${companyId}::uuid)` })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .returning(['id', 'company_ids'])
    .execute();
  await revokeGrants(
    tx,
    rows.filter(({ company_ids: companyIds }) => companyIds.length === 0).map(({ id }) => id),
  );
  await notifyAccessChanged(tx, ...userIds.map((userId) => ({ user_id: userId })));
}

/** Removes a company from a grant, and revokes it if none is left. @returns whether the grant included the company */
export async function revokeGrantForCompany(
  tx: Transaction<GlobalTables>,
  grantId: string,
  companyId: string,
): Promise<boolean> {
  const row = await tx
    .updateTable('oauth_grants')
    .set({ company_ids: sql`array_remove(company_ids, ${companyId}::uuid)` })
    .where('id', '=', grantId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`company_ids @> array[${companyId}::uuid]`)
    .returning('company_ids')
    .executeTakeFirst();
  if (!row) return false;
  if (row.company_ids.length === 0) await revokeGrants(tx, [grantId]);
  else await notifyAccessChanged(tx, { grant_id: grantId });
  return true;
}

/**
 * For the worker: deletes grants that are unusable and whose last access token has long expired; not installations, because logs
 * refer to them.
 */
export async function removeEndedGrants(db: Kysely<GlobalTables>): Promise<number> {
  const old = sql<string>`now() - make_interval(days => ${endedRetentionDays}::int)`;
  const some = db
    .selectFrom('oauth_grants as g')
    .select('g.id')
    .where('g.installation_role', 'is', null)
    .where((eb) =>
      eb.or([
        eb('g.revoked_at', '<', old),
        eb.and([
          eb('g.revoked_at', 'is', null),
          eb('g.created_at', '<', old),
          eb.not(eb.exists(artifactsOf(db, sql<boolean>`a.grant_id = g.id`))),
          eb.not(
            eb.exists(artifactsOf(db, sql<boolean>`a.kind = 'Grant' and a.id_hash = sha256(decode(g.id, 'escape'))`)),
          ),
        ]),
      ]),
    )
    .limit(rowsPerRemoval)
    .forUpdate('g');
  return inParts(async () => {
    const removing = db.deleteFrom('oauth_grants').where('id', '=', sql<string>`any(array(${some}))`);
    return Number((await removing.executeTakeFirstOrThrow()).numDeletedRows);
  });
}

function artifactsOf(db: Kysely<GlobalTables>, condition: RawBuilder<boolean>) {
  return db.selectFrom('oauth_artifacts as a').select('a.kind').where(condition);
}
