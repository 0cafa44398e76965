/** The reporting hierarchy: a tree without cycles. */
import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import type { FieldError } from '../../../contract/problem.ts';
import type { Member } from '../../../identity/members/member.ts';
import { lockNamed } from '../../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, findCollaborator, isId, reportsTo } from '../../access/records.ts';

/** Serializes changes of a company's tree: two valid changes can form a cycle together. Call it before locking rows. */
export async function lockHierarchy(tx: TenantTransaction): Promise<void> {
  await lockNamed(tx, 'hierarchy');
}

/** @param member the caller; managers may only choose from their own team */
export async function managerError(
  tx: TenantTransaction,
  member: Member,
  row: CollaboratorRow,
  managerId: string,
): Promise<FieldError | undefined> {
  const id = managerId.toLowerCase();
  if (id === row.id) return managerErrors.self;
  const reach = member.role === 'admin' || member.isInstallation ? 'all' : 'team';
  if (!(await findCollaborator(tx, member, reach, id))) return managerErrors.outOfReach;
  await lockManager(tx, id);
  return (await reportsTo(tx, id, row.id)) ? managerErrors.cycle : undefined;
}

export const managerErrors = {
  self: { code: 'self', message: t`A person can't be their own manager.` },
  unknown: { code: 'not_found', message: t`There is no such collaborator in this company.` },
  outOfReach: { code: 'not_found', message: t`There is no such collaborator among those you may see.` },
  cycle: { code: 'cycle', message: t`This person reports to the collaborator, directly or through others.` },
} as const satisfies Record<string, FieldError>;

/** Locks a manager against deletion until the end of the transaction. @returns false if there is no such collaborator */
export async function lockManager(tx: TenantTransaction, id: string): Promise<boolean> {
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

/** Call it after locking the rows to change. @param ids that are UUIDs */
export async function lockManagers(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The managers above these collaborators, up to the top. @returns the manager of each collaborator and of those above */
export async function managersAbove(
  tx: TenantTransaction,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const { company_id: companyId } = tx;
  const { rows } = await sql<{ id: string; manager_id: string | null }>`
    with recursive above as (
      select id, manager_id from collaborators where company_id = ${companyId} and id = any(${ids}::uuid[])
      union
      select c.id, c.manager_id from collaborators c join above on c.id = above.manager_id
      where c.company_id = ${companyId}
    )
    select id, manager_id from above`.execute(tx.raw);
  return new Map(rows.map(({ id, manager_id: managerId }) => [id, managerId]));
}
