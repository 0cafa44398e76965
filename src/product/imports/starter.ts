/** An import acts with the current rights of the person who started it: after a change of their role nothing more is imported. */

import { contractOperations } from '../../contract/contract.ts';
import { t } from '../../contract/languages/text.ts';
import { roleOfInstallation } from '../../identity/installations/installations.ts';
import type { Role } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { operationAccess } from '../access/permissions.ts';
import type { ImportRow } from './state/find-import.ts';

/** Keeps what was already written. */
export class NoLongerAllowed extends Error {
  override name = 'NoLongerAllowed';
  readonly text = t`The person who started this import can no longer import.`;

  constructor() {
    super('the person who started the import may no longer import');
  }
}

const { operation } = contractOperations.find((each) => each.operation.operationId === 'importCollaborators')!;
const { roles } = operationAccess(operation);

/** @param tenant inside the writing transaction @throws NoLongerAllowed */
export async function requireStarter(
  tenant: Tenant,
  { created_by: createdBy, committed_by: committedBy }: Pick<ImportRow, 'created_by' | 'committed_by'>,
): Promise<void> {
  const userId = committedBy ?? createdBy;
  if (userId === null) return; // the operator
  const member = await tenant
    .selectFrom('collaborators')
    .select('role')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const role = (member?.role as Role | undefined) ?? (await roleOfInstallation(tenant, userId));
  if (role && roles![role] !== 'none') return;
  throw new NoLongerAllowed();
}
