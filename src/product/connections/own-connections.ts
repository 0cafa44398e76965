/** A person's own view of the apps they allowed, across companies, and how to end them. */
import { sql } from 'kysely';
import { revokeGrants } from '../../identity/grants/grants.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { settleReachable } from '../../platform/db/reachable.ts';
import { companyNames } from './connections.ts';
import { announceEnded } from './end-connection.ts';

const maxConnections = 100;

interface OwnConnection {
  id: string;
  app: string;
  website: string | null;
  maker: string | undefined;
  companies: string[];
  created_at: string;
  last_used_at: string | undefined;
}

/** Newest first, without installations, which belong to companies. */
export async function ownConnections(db: Database, userId: string): Promise<OwnConnection[]> {
  const rows = await db.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as app', 'app.id', 'g.client_id')
    .select(['g.id', 'app.name as app', 'app.website', 'app.company_id as maker_id', 'g.company_ids', 'g.created_at'])
    .where('g.user_id', '=', userId)
    .where('g.installation_role', 'is', null)
    .where('g.revoked_at', 'is', null)
    .where('g.expires_at', '>', new Date().toISOString())
    .orderBy('g.created_at', 'desc')
    .orderBy('g.id', 'desc')
    .limit(sql.lit(maxConnections))
    .execute();
  const ids = [
    ...new Set(rows.flatMap(({ company_ids: companyIds, maker_id: makerId }) => [...companyIds, makerId ?? []].flat())),
  ];
  const [names, uses] = [await companyNames(db.global, ids), await usesOf(db, rows)];
  return rows.map(({ maker_id: makerId, company_ids: companyIds, ...row }) => ({
    ...row,
    maker: makerId === null ? undefined : names.get(makerId),
    companies: companyIds.flatMap((id) => names.get(id) ?? []).sort(),
    last_used_at: uses.get(row.id),
  }));
}

/** The last use of each, for any company. Omits companies on cluster machines that are down. */
async function usesOf(db: Database, grants: readonly { id: string; company_ids: string[] }[]) {
  const parts = grants.flatMap(({ id, company_ids: companyIds }) =>
    companyIds.map((companyId) => ({ id, company_id: companyId })),
  );
  const found = await settleReachable(
    [...Map.groupBy(parts, ({ company_id: companyId }) => companyId)].map(([companyId, companyParts]) =>
      db
        .tenant(companyId)
        .selectFrom('connection_uses')
        .select(['connection_id', 'last_used_at'])
        .where('connection_id', '=', sql<string>`any(${companyParts.map(({ id }) => id)}::text[])`)
        .execute(),
    ),
  );
  const uses = new Map<string, string>();
  for (const { connection_id: connectionId, last_used_at: lastUsedAt } of found.flat()) {
    const known = uses.get(connectionId);
    if (known === undefined || known < lastUsedAt) uses.set(connectionId, lastUsedAt);
  }
  return uses;
}

/** Processes reject the app's tokens as soon as they are notified; companies get an event. @returns false if it isn't theirs */
export async function revokeOwnConnection(db: Database, userId: string, id: string, origin: Origin): Promise<boolean> {
  if (id.includes('\0')) return false; // Postgres rejects NUL in texts
  const ended = await db.global.transaction().execute(async (tx) => {
    const grant = await tx
      .selectFrom('oauth_grants')
      .select(['id', 'user_id', 'client_id', 'company_ids'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('installation_role', 'is', null)
      .where('revoked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!grant) return undefined;
    const { client_id: clientId } = grant;
    const app = await tx
      .selectFrom('oauth_clients')
      .select('name')
      .where('id', '=', clientId)
      .executeTakeFirstOrThrow();
    await revokeGrants(tx, [id]);
    await announceEnded(tx, [grant], {
      client_id: clientId,
      app_name: app.name,
      reason: 'ended',
      by: { user_id: userId },
    });
    return grant;
  });
  if (!ended) return false;
  await recordInCompanies(db, ended.company_ids, {
    action: 'grant.revoked',
    actor: { type: 'user', user_id: userId },
    origin,
    target: { type: 'client', id: ended.client_id },
    details: { grant_id: id, by: 'account_page' },
  });
  return true;
}
