/** What the operator ends: everything that people allowed an app, which they can allow again. */

import { endGrantForCompany, endGrants } from '../../identity/grants/grants.ts';
import type { Database } from '../../platform/db/client.ts';
import { announceEnded } from './end-connection.ts';

/**
 * @param company_id of which alone
 * @returns how many connections ended; undefined when there is no such client
 */
export async function endClientConnections(
  db: Database,
  client_id: string,
  company_id?: string,
): Promise<number | undefined> {
  return db.global.transaction().execute(async (tx) => {
    const client = await tx.selectFrom('oauth_clients').select('name').where('id', '=', client_id).executeTakeFirst();
    if (!client) return undefined;
    const grants = await tx
      .selectFrom('oauth_grants')
      .select(['id', 'user_id', 'company_ids'])
      .where('client_id', '=', client_id)
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    const meant = grants.filter(({ company_ids }) => !company_id || company_ids.includes(company_id));
    const ids = meant.map(({ id }) => id);
    if (company_id) for (const id of ids) await endGrantForCompany(tx, id, company_id);
    else await endGrants(tx, ids);
    const ended = meant.map((grant) => ({ ...grant, company_ids: company_id ? [company_id] : grant.company_ids }));
    await announceEnded(tx, ended, { client_id, app_name: client.name, reason: 'operator' });
    return meant.length;
  });
}
