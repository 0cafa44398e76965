/** Whether the caller may call the operation at all: 403 `insufficient_scope` or `forbidden`. */
import { forbidden, insufficientScope } from '../../../contract/problem.ts';
import type { Step } from '../exchange.ts';

export const authorize: Step = ({ operation: { access }, caller, company }) => {
  if (access.scopes.some((scope) => !caller.scopes.includes(scope))) throw insufficientScope(access.scopes);
  if (!access.roles || !company || access.roles[company.member.role] !== 'none') return;
  throw forbidden(access.roles.manager === 'none' ? 'admin' : 'manager');
};
