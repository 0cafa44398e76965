/**
 * What a user granted to a client, and its end. Grants are rows of `oauth_grants`; every access token names its grant,
 * and verification checks that the grant has not ended. So ending a grant ends all its tokens immediately.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { type Place, secretHash } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newProviderMark } from '../provider-users/provider-mark.ts';

/** Longer than an access token lives, and long enough to look into what happened. */
const endedKeptDays = 30;

/** Where the payload of a code, token or session is sealed. */
export function artifactPlace(kind: string, idHash: Buffer): Place {
  return ['oauth_artifacts', 'payload_encrypted', kind, idHash];
}

/** Ends a grant: its codes and refresh tokens are deleted, its access tokens are refused everywhere. May repeat. */
export async function revokeGrant(db: Kysely<GlobalTables>, grantId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The library ends one grant by several calls at once; the row lock makes them take turns.
    await tx.selectFrom('oauth_grants').select('id').where('id', '=', grantId).forUpdate().execute();
    await endGrants(tx, [grantId]);
  });
}

/** Ends several grants of one transaction, and tells every process when it commits. */
export async function endGrants(tx: Transaction<GlobalTables>, grantIds: string[]): Promise<void> {
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

/**
 * Ends everything a user granted, wherever they are signed in.
 * @param device_id ends what was granted on this device, and nothing else
 * @returns how many grants there were
 */
export async function endUserGrants(tx: Transaction<GlobalTables>, userId: string, deviceId?: string): Promise<number> {
  // In turn with what they allow at this moment (`consent.ts`).
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  let granted = tx
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', userId)
    .where('installation_role', 'is', null) // belongs to its company
    .where('revoked_at', 'is', null);
  if (deviceId !== undefined) granted = granted.where('device_id', '=', deviceId);
  const rows = await granted.orderBy('id').forUpdate().execute();
  await endGrants(
    tx,
    rows.map(({ id }) => id),
  );
  await notifyAccessChanged(tx, { user_id: userId });
  return rows.length;
}

/**
 * Takes a company out of everything that users granted; a grant that is left without any ends. Users of the company alone, whom its
 * identity provider signs in, are signed out as well.
 */
export async function endCompanyGrants(
  tx: Transaction<GlobalTables>,
  userIds: readonly string[],
  companyId: string,
): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .updateTable('users')
    .set({ password_hash: newProviderMark() })
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
    .orderBy('id') // the order in which everyone locks many
    .forUpdate()
    .execute();
  const ids = grants.map(({ id }) => id);
  const rows = await tx
    .updateTable('oauth_grants')
    .set({ company_ids: sql`array_remove(company_ids, ${companyId}::uuid)` })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .returning(['id', 'company_ids'])
    .execute();
  await endGrants(
    tx,
    rows.filter(({ company_ids: companyIds }) => companyIds.length === 0).map(({ id }) => id),
  );
  await notifyAccessChanged(tx, ...userIds.map((userId) => ({ user_id: userId })));
}

/**
 * Takes a company out of a grant; one that is left without any ends.
 * @returns whether it was for that company until now
 */
export async function endGrantForCompany(
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
  if (row.company_ids.length === 0) await endGrants(tx, [grantId]);
  else await notifyAccessChanged(tx, { grant_id: grantId });
  return true;
}

/**
 * Deletes grants that ended, or that nothing can be done with any more, once their last access token has long expired: for
 * the worker, now and then. Installations stay, for the logs tell what they did, and whose they were.
 * @returns how many
 */
export async function removeEndedGrants(db: Kysely<GlobalTables>): Promise<number> {
  const old = sql<string>`now() - make_interval(days => ${endedKeptDays}::int)`;
  const result = await db
    .deleteFrom('oauth_grants as g')
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
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function artifactsOf(db: Kysely<GlobalTables>, condition: RawBuilder<boolean>) {
  return db.selectFrom('oauth_artifacts as a').select('a.kind').where(condition);
}
