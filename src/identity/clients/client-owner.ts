/** The owner of a client, and the users who may authorize it: everybody, or for an app the users that its company intends. */
import type { Database } from '../../platform/db/client.ts';

/** The company that registered an app. */
export interface ClientOwner {
  company_id: string;
  company_name: string;
  /** Whether users of other companies may authorize the app: it is for everyone, and approved by the operator. */
  isOpen: boolean;
}

/** @returns undefined for the operator's clients */
export async function clientOwnerOf(db: Database, clientId: string): Promise<ClientOwner | undefined> {
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

/** Filters a user's companies to those for which they may authorize the app. */
export function authorizableCompanies<C extends { id: string }>(
  companies: readonly C[],
  maker: ClientOwner | undefined,
): C[] {
  return companies.filter(({ id }) => !maker || maker.isOpen || id === maker.company_id);
}
