/** Ends all connections of an app, for the operator. People can allow it again. */

import { revokeGrantForCompany, revokeGrants } from '../../identity/grants/grants.ts';
import type { Database } from '../../platform/db/client.ts';
import { announceEnded } from './end-connection.ts';

/** @returns the number of ended connections; undefined for an unknown client */
export async function revokeClientConnections(
  db: Database,
  clientId: string,
  companyId?: string,
): Promise<number | undefined> {
  return db.global.transaction().execute(async (tx) => {
    const client = await tx.selectFrom('oauth_clients').select('name').where('id', '=', clientId).executeTakeFirst();
    if (!client) return undefined;
    const grants = await tx
      .selectFrom('oauth_grants')
      .select(['id', 'user_id', 'company_ids'])
      .where('client_id', '=', clientId)
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    const affected = grants.filter(({ company_ids: companyIds }) => !companyId || companyIds.includes(companyId));
    const ids = affected.map(({ id }) => id);
    if (companyId) for (const id of ids) await revokeGrantForCompany(tx, id, companyId);
    else await revokeGrants(tx, ids);
    const ended = affected.map((grant) => ({ ...grant, company_ids: companyId ? [companyId] : grant.company_ids }));
    await announceEnded(tx, ended, { client_id: clientId, app_name: client.name, reason: 'operator' });
    return affected.length;
  });
}
