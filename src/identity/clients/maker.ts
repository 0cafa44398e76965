/** Who made a client, and who may allow it: a client of the operator everybody, an app those whom its company means. */
import type { Database } from '../../platform/db/client.ts';

/** The company that registered an app. */
export interface Maker {
  company_id: string;
  company_name: string;
  /** Whether people of other companies may allow the app: it is for everyone, and the operator has approved it. */
  isOpen: boolean;
}

/** @returns undefined for a client of the operator */
export async function makerOf(db: Database, clientId: string): Promise<Maker | undefined> {
  const row = await db.global
    .selectFrom('oauth_clients as app')
    .select(['app.company_id', 'app.visibility', 'app.approved_at'])
    .where('app.id', '=', clientId)
    .executeTakeFirst();
  if (!row?.company_id) return undefined;
  const { company_id: companyId, visibility, approved_at: approvedAt } = row;
  const { name } = await db.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
  return { company_id: companyId, company_name: name, isOpen: visibility === 'everyone' && approvedAt !== null };
}

/** Of somebody's companies, those for which they may allow the app. */
export function allowable<C extends { id: string }>(companies: readonly C[], maker: Maker | undefined): C[] {
  return companies.filter(({ id }) => !maker || maker.isOpen || id === maker.company_id);
}
