/** Whether a password alone signs somebody in. */
import { sql } from 'kysely';
import type { Database } from '../../platform/db/client.ts';
import { levelOf } from './authentication.ts';
import { hasFactor } from './factors.ts';

/** Whether somebody has to sign in with two factors: who has a second one does, and who is of a company that asks for it. */
async function needsFactor(db: Database, user_id: string): Promise<boolean> {
  return (await hasFactor(db.global, user_id)) || companyAsksForFactor(db, user_id);
}

/**
 * Whether a session was opened with less than its person has to sign in with by now: before they had a second factor, or before a
 * company asked for one.
 * @param amr of the session
 */
export async function signedInTooWeakly(db: Database, user_id: string, amr: readonly string[] | undefined) {
  return levelOf(amr) !== '2fa' && needsFactor(db, user_id);
}

/** Whether a company that knows them asks for a second factor. */
export async function companyAsksForFactor(db: Database, user_id: string): Promise<boolean> {
  const row = await db.global
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select('companies.id')
    .where('memberships.user_id', '=', user_id)
    .where(sql<boolean>`companies.policy ->> 'require_second_factor' = 'true'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
