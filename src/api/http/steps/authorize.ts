/** Checks access to the operation: 403 `insufficient_scope` or `forbidden`; 401 if a recent sign-in is required. */
import { forbidden, insufficientScope } from '../../../contract/problem.ts';
import { requireStepUp } from '../../../identity/members/step-up.ts';
import { needsStepUp } from '../../../product/access/step-up.ts';
import type { Step } from '../exchange.ts';

export const authorize: Step = ({ operation: { access }, caller, company }) => {
  if (access.scopes.some((scope) => !caller.scopes.includes(scope))) throw insufficientScope(access.scopes);
  if (!access.roles || !company) return;
  if (access.roles[company.member.role] !== 'none') {
    if (needsStepUp(access, { caller, member: company.member })) requireStepUp(caller);
    return;
  }
  throw forbidden(access.roles.manager === 'none' ? 'admin' : 'manager');
};
