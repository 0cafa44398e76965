/** Withdraws the operator's approval that lets every company use an app. */
import { revokeGrantForCompany } from '../../identity/grants/grants.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';
import { announceEnded } from './end-connection.ts';

interface WithdrawnApproval {
  company_id: string;
  name: string;
  ended: number;
}

/**
 * Connections of other companies end like those of a revoked client; the app's own company keeps its connections.
 * @returns undefined if no approved app has this id
 */
export async function withdrawApproval(db: Database, id: string): Promise<WithdrawnApproval | undefined> {
  const withdrawn = await db.global.transaction().execute(async (tx) => {
    const app = await tx
      .updateTable('oauth_clients')
      .set({ approved_at: null })
      .where('id', '=', id)
      .where('approved_at', 'is not', null)
      .where('revoked_at', 'is', null)
      .returning(['company_id', 'name'])
      .executeTakeFirst();
    if (!app) return undefined;
    const grants = await tx
      .selectFrom('oauth_grants')
      .select(['id', 'user_id', 'company_ids'])
      .where('client_id', '=', id)
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    const foreign = grants
      .map((grant) => ({ ...grant, company_ids: grant.company_ids.filter((each) => each !== app.company_id) }))
      .filter(({ company_ids: companyIds }) => companyIds.length > 0);
    for (const grant of foreign) {
      for (const companyId of grant.company_ids) await revokeGrantForCompany(tx, grant.id, companyId);
    }
    await announceEnded(tx, foreign, { client_id: id, app_name: app.name, reason: 'operator' });
    return { company_id: app.company_id!, name: app.name, ended: foreign.length };
  });
  if (!withdrawn) return undefined;
  const actor = { type: 'operator' } as const;
  const target = { type: 'app', id };
  await recordInCompanies(db, [withdrawn.company_id], { action: 'app.approval_withdrawn', actor, target });
  return withdrawn;
}
