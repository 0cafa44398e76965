import { contractOperations } from '../../../contract/contract.ts';
import { operationAccess, reachOf } from '../../../product/access/permissions.ts';
import { needsStepUp } from '../../../product/access/step-up.ts';
import type { Handler } from '../../handler.ts';

export const listPermissions: Handler<'listPermissions'> = async (_request, { caller, member, tenant }) => {
  const data = contractOperations.map(({ operation }) => {
    const access = operationAccess(operation);
    const { scopes, roles } = access;
    const reach = roles ? reachOf(roles, member) : null;
    const missingScopes = scopes.filter((scope) => !caller.scopes.includes(scope));
    const isForNoRole = roles?.[member.role] === 'directory';
    const requiredRole =
      reach !== 'none' || isForNoRole ? null : roles!.manager === 'none' ? ('admin' as const) : ('manager' as const);
    const stepUp = needsStepUp(access, { caller, member });
    const allowed = missingScopes.length === 0 && reach !== 'none' && !stepUp;
    return {
      operation_id: operation.operationId,
      allowed,
      reach,
      missing_scopes: missingScopes,
      required_role: requiredRole,
      needs_step_up: stepUp,
    };
  });
  return { status: 200, body: { company_id: tenant.company_id, role: member.role, data } };
};
