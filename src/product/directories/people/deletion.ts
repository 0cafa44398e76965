/** Deletes and restores collaborators together with their place in a directory. */
import type { Viewer } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { limitsOf, requireWithinLimits } from '../../access/installation-limits.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { lockHierarchy } from '../../collaborators/fields/hierarchy.ts';
import { requireMatch } from '../../collaborators/fields/preconditions.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import { deleteLocked, restoreWithin } from '../../collaborators/remove-collaborator.ts';
import { collaboratorEtag } from '../../collaborators/responses/collaborator-response.ts';
import { type Actor, lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import { counted } from '../../collaborators/write/collaborator-counts.ts';
import { applyRoles } from '../groups/group-roles.ts';
import { awaitReturn, peopleAwaiting, setManager } from './awaited-managers.ts';

/** @throws 403 for an installation beyond its limits, 404, 409 `last_admin`, 412 */
export async function deletePerson(
  tenant: Tenant,
  viewer: Viewer & { caller: Actor },
  id: string,
  ifMatch: readonly string[] | undefined,
): Promise<CollaboratorRow> {
  const { caller } = viewer;
  return counted(tenant, async (tx) => {
    await lockHierarchy(tx);
    await lockAdmins(tx);
    const before = await lockCollaborator(tx, id);
    requireMatch(ifMatch, collaboratorEtag(before, viewer));
    requireWithinLimits(await limitsOf(tx, caller.user_id), before, { status: 'inactive' });
    await awaitReturn(tx, before);
    return deleteLocked(tx, caller, before);
  });
}

/**
 * Restores a deleted collaborator. A role assigned by a group is assigned again, because the groups may have changed since, and
 * people get their manager back if the directory names this one.
 * @throws like `restoreWithin`
 */
export async function restorePerson(tenant: Tenant, actor: Actor, id: string): Promise<CollaboratorRow> {
  return counted(tenant, async (tx) => {
    await lockHierarchy(tx);
    await lockAdmins(tx);
    const restored = await restoreWithin(tx, actor, id);
    const person = await tx
      .selectFrom('directory_people')
      .select(['directory_id', 'user_name', 'external_id'])
      .where('collaborator_id', '=', id)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (!person) return restored;
    const context = { directory: { id: person.directory_id }, actor };
    await applyRoles(tx, context, [id]);
    const waiting = await peopleAwaiting(tx, person.directory_id, person);
    for (const { collaborator_id: reportId } of waiting) await setManager(tx, context, reportId, id);
    return lockCollaborator(tx, id);
  });
}
