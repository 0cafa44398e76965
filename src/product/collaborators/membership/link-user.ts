/**
 * Membership: links a user to a collaborator. Only the person creates it, by accepting an invitation, or the operator's command
 * line for them. A company's admin can't.
 */
import type { TenantTransaction } from '../../../platform/db/tenant.ts';

/** @returns false if the user is already another person in this company */
export async function addMembership(tx: TenantTransaction, userId: string, collaboratorId: string): Promise<boolean> {
  const otherMember = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '<>', collaboratorId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (otherMember) return false;
  await tx.global
    .insertInto('memberships')
    .values({ user_id: userId, company_id: tx.company_id, collaborator_id: collaboratorId })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'company_id']).doUpdateSet({ collaborator_id: collaboratorId }),
    )
    .execute();
  return true;
}

export async function removeMembership(tx: TenantTransaction, userId: string): Promise<void> {
  await tx.global
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .where('company_id', '=', tx.company_id)
    .execute();
}
