/** Who reports to whom: a tree, in which nobody stands above themselves. */
import { sql } from 'kysely';
import type { Member } from '../access/member.ts';
import { type CollaboratorRow, findCollaborator, isId, reportsTo } from '../access/records.ts';
import type { TenantTransaction } from '../db/tenant.ts';
import type { FieldError } from '../errors.ts';

/**
 * Lets the transactions that change a company's tree take turns, because two changes that are each harmless can close a
 * circle together. Call it before any row is locked.
 */
export async function lockHierarchy(tx: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hierarchy ${tx.company_id}`}, 0))`.execute(tx.raw);
}

/**
 * Whether someone may become the manager of a collaborator.
 * @param member who asks: a manager picks from their own team only
 * @returns what is wrong with it, or undefined
 */
export async function managerFault(
  tx: TenantTransaction,
  member: Member,
  row: CollaboratorRow,
  manager_id: string,
): Promise<FieldError | undefined> {
  const id = manager_id.toLowerCase();
  if (id === row.id) return { code: 'self', message: 'Nobody is their own manager.' };
  const reach = member.role === 'admin' ? 'all' : 'team';
  if (!(await findCollaborator(tx, member, reach, id))) {
    return { code: 'not_found', message: 'There is no such collaborator in your reach.' };
  }
  await keepManager(tx, id);
  if (await reportsTo(tx, id, row.id)) {
    return { code: 'cycle', message: 'This person reports to the collaborator, directly or through others.' };
  }
  return undefined;
}

/** Keeps a manager from being deleted until the transaction ends. @returns false when there is no such collaborator */
export async function keepManager(tx: TenantTransaction, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const manager = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return manager !== undefined;
}
