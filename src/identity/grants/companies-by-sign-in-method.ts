import type { Database } from '../../platform/db/client.ts';
import { passkeyMethod } from '../factors/authentication.ts';
import { isConnectionOnly } from '../members/company-policy.ts';
import { isOfProvider } from '../provider-users/provider-mark.ts';
import { activeCompanies } from './consent.ts';

/** The companies for which a user may authorize an app, by how they signed in (`identity/members/sign-in-method.ts`). */
export async function companiesBySignInMethod(db: Database, userId: string, amr: readonly string[] | undefined) {
  const companies = await activeCompanies(db, userId);
  if (companies.length === 0) return companies;
  const [user, rows] = await Promise.all([
    db.global.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst(),
    db.global
      .selectFrom('companies')
      .select(['id', 'policy'])
      .where(
        'id',
        'in',
        companies.map(({ id }) => id),
      )
      .execute(),
  ]);
  if (user?.password_hash && isOfProvider(user.password_hash)) return companies;
  const policies = new Map(rows.map(({ id, policy }) => [id, policy]));
  const hasPasskey = amr?.includes(passkeyMethod) ?? false;
  return companies.filter(
    ({ id, role }) => !isConnectionOnly(policies.get(id) ?? {}, role) || (hasPasskey && role === 'admin'),
  );
}
