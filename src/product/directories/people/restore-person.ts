import type { Tenant } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import { restoreWithin } from '../../collaborators/remove-collaborator.ts';
import { type Actor, lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import { counted } from '../../collaborators/write/collaborator-counts.ts';
import { applyRoles } from '../groups/group-roles.ts';

/**
 * Restores a deleted collaborator. A role assigned by a group is assigned again, because the groups may have changed since.
 * @throws like `restoreWithin`
 */
export async function restorePerson(tenant: Tenant, actor: Actor, id: string): Promise<CollaboratorRow> {
  return counted(tenant, async (tx) => {
    await lockAdmins(tx);
    const restored = await restoreWithin(tx, actor, id);
    const directory = await tx
      .selectFrom('directory_people')
      .select('directory_id as id')
      .where('collaborator_id', '=', id)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (!directory) return restored;
    await applyRoles(tx, { directory, actor }, [id]);
    return lockCollaborator(tx, id);
  });
}
