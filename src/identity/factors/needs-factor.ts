/** Decides whether a user needs a second factor to sign in. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { levelOf } from './authentication.ts';
import { hasFactor } from './factors.ts';

/** True if the user has one, or a company requires one. */
async function needsFactor(db: Database, userId: string): Promise<boolean> {
  return (await hasFactor(db.global, userId)) || companyRequiresSecondFactor(db, userId);
}

/** Whether a session has fewer factors than its user needs by now. @param amr of the session */
export async function needsStepUp(db: Database, userId: string, amr: readonly string[] | undefined) {
  return levelOf(amr) !== '2fa' && needsFactor(db, userId);
}

/** Whether any company of the user requires a second factor. */
export async function companyRequiresSecondFactor(db: Database, userId: string): Promise<boolean> {
  const row = await db.global
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select('companies.id')
    .where('memberships.user_id', '=', userId)
    .where(sql<boolean>`companies.policy ->> 'require_second_factor' = 'true'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
