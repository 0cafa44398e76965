/** Checks that the caller may call the operation: 403 `insufficient_scope` or `forbidden`, or 401 if a new sign-in is required. */
import { t } from '../../../contract/languages/text.ts';
import { forbidden, insufficientScope, Problem } from '../../../contract/problem.ts';
import { requireStepUp } from '../../../identity/members/step-up.ts';
import { reachOf } from '../../../product/access/permissions.ts';
import { needsStepUp } from '../../../product/access/step-up.ts';
import type { Step } from '../request-context.ts';

export const authorize: Step = ({ operation: { access }, caller, company }) => {
  if (access.scopes.some((scope) => !caller.scopes.includes(scope))) throw insufficientScope(access.scopes);
  if (!access.roles || !company) return;
  if (reachOf(access.roles, company.member) !== 'none') {
    if (needsStepUp(access, { caller, member: company.member })) requireStepUp(caller);
    return;
  }
  if (access.roles[company.member.role] === 'directory') throw directoryDisabled();
  throw forbidden(access.roles.manager === 'none' ? 'admin' : 'manager');
};

function directoryDisabled(): Problem {
  return new Problem(403, 'forbidden', t`Your company has no people directory.`, {
    details: { reason: 'directory_disabled' },
  });
}
