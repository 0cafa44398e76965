/** Assigns roles by group, as mapped by an admin. Roles assigned otherwise are never removed or lowered. */
import { sql } from 'kysely';
import type { Role } from '../../../identity/members/member.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { changeRoles } from '../../collaborators/role.ts';
import { type Actor, lockCollaborators } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';

const rank: Record<Role, number> = { employee: 0, manager: 1, admin: 2 };

interface RoleContext {
  directory: { id: string };
  actor: Actor;
}

/** The transaction must have called `lockAdmins`. @throws 409 `last_admin` */
export async function applyRoles(
  tx: CountedTransaction,
  { directory, actor }: RoleContext,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const [people, targetRoles] = [await assignedRoles(tx, directory.id, ids), await mappedRoles(tx, directory.id, ids)];
  const affected = people.filter(({ id, given_role: assigned }) => (targetRoles.get(id) ?? null) !== assigned);
  const rows = await lockCollaborators(
    tx,
    affected.map(({ id }) => id),
  );
  const moves = affected.flatMap(({ id, given_role: assigned }) => {
    const before = rows.get(id);
    const target = targetRoles.get(id) ?? 'employee';
    if (!before || before.role === target) return [];
    const isGroupAssigned = assigned !== null && before.role === assigned;
    return isGroupAssigned || rank[target] > rank[before.role as Role] ? [{ before, to: target }] : [];
  });
  await changeRoles(tx, actor, moves);
  const moved = new Set(moves.map(({ before }) => before.id));
  // A role that didn't change isn't from the group, so leaving the group must not revoke it.
  const givenTo = (id: string) => (moved.has(id) ? targetRoles.get(id) : undefined) ?? null;
  const changed = affected.filter(({ id, given_role: assigned }) => rows.has(id) && givenTo(id) !== assigned);
  for (const [given, found] of Map.groupBy(changed, ({ id }) => givenTo(id))) {
    const people = found.map(({ id }) => id);
    await tx
      .updateTable('directory_people')
      .set({ given_role: given })
      .where('directory_id', '=', directory.id)
      .where('collaborator_id', '=', sql<string>`any(${people}::uuid[])`)
      .execute();
  }
}

function assignedRoles(tx: TenantTransaction, directoryId: string, ids: readonly string[]) {
  return tx
    .selectFrom('directory_people')
    .select(['collaborator_id as id', 'given_role'])
    .where('directory_id', '=', directoryId)
    .where('removed_at', 'is', null)
    .where('collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('collaborator_id')
    .execute();
}

async function mappedRoles(
  tx: TenantTransaction,
  directoryId: string,
  ids: readonly string[],
): Promise<Map<string, Role>> {
  const found = await tx
    .selectFrom('directory_members as m')
    .innerJoin('directory_groups as g', (join) =>
      join.onRef('g.company_id', '=', 'm.company_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['m.collaborator_id as id', 'g.role'])
    .where('m.collaborator_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('g.directory_id', '=', directoryId)
    .where('g.role', 'is not', null)
    .execute();
  const highest = new Map<string, Role>();
  for (const { id, role } of found) {
    const known = highest.get(id) ?? 'employee';
    if (rank[role as Role] > rank[known]) highest.set(id, role as Role);
  }
  return highest;
}
