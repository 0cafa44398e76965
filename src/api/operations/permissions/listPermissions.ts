import { contractOperations } from '../../../contract/contract.ts';
import { operationAccess } from '../../../product/access/permissions.ts';
import { needsStepUp } from '../../../product/access/step-up.ts';
import type { Handler } from '../../handler.ts';

export const listPermissions: Handler<'listPermissions'> = async (_request, { caller, member, tenant }) => {
  const data = contractOperations.map(({ operation }) => {
    const access = operationAccess(operation);
    const { scopes, roles } = access;
    const reach = roles ? roles[member.role] : null;
    const missing_scopes = scopes.filter((scope) => !caller.scopes.includes(scope));
    const required_role =
      reach !== 'none' ? null : roles!.manager === 'none' ? ('admin' as const) : ('manager' as const);
    const needs_step_up = needsStepUp(access, { caller, member });
    const allowed = missing_scopes.length === 0 && reach !== 'none' && !needs_step_up;
    return { operation_id: operation.operationId, allowed, reach, missing_scopes, required_role, needs_step_up };
  });
  return { status: 200, body: { company_id: tenant.company_id, role: member.role, data } };
};
