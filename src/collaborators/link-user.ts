/** The tie between a collaborator and the user who signs in as them. */
import type { CollaboratorRow } from '../access/records.ts';
import type { TenantTransaction } from '../db/tenant.ts';

/** Ties a collaborator to the user with the same address. @returns that user's id; null when nobody signs in with it */
export async function linkUser(tx: TenantTransaction, row: CollaboratorRow): Promise<string | null> {
  const user = await tx.global
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', row.email.toLowerCase()))
    .executeTakeFirst();
  if (!user || !(await addMembership(tx, user.id, row.id))) return null;
  return user.id;
}

/** @returns false when the user is someone else in this company already */
export async function addMembership(tx: TenantTransaction, user_id: string, collaborator_id: string): Promise<boolean> {
  const taken = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', user_id)
    .where('id', '<>', collaborator_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (taken) return false;
  await tx.global
    .insertInto('memberships')
    .values({ user_id, company_id: tx.company_id, collaborator_id })
    .onConflict((conflict) => conflict.columns(['user_id', 'company_id']).doUpdateSet({ collaborator_id }))
    .execute();
  return true;
}
