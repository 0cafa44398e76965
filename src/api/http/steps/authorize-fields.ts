/** Checks write access to body fields and values: 403 `field_forbidden` or `forbidden`; 401 if a recent sign-in is required. */

import type { FieldAccess, RecordScope } from '../../../contract/contract.ts';
import { t } from '../../../contract/languages/text.ts';
import { type FieldError, forbidden, problemWithErrors } from '../../../contract/problem.ts';
import type { Member } from '../../../identity/members/member.ts';
import { requireStepUp } from '../../../identity/members/step-up.ts';
import { canWriteField, reaches } from '../../../product/access/permissions.ts';
import type { RequestContext, Step } from '../request-context.ts';

export const authorizeFields: Step = (exchange) => {
  const { company, body } = exchange;
  if (!company || typeof body.value !== 'object' || body.value === null) return;
  refuseFields(exchange, body.value as Fields, company.member);
  refuseValues(exchange, body.value as Fields, company.member);
  requireRecentSignIn(exchange, body.value as Fields);
};

type Fields = Record<string, unknown>;

/** @throws 403 `field_forbidden` with each field the caller may not write */
function refuseFields({ operation, caller, resource }: RequestContext, body: Fields, member: Member): void {
  const asSignedIn = { ...caller, lacks: undefined };
  const refused = [...operation.writeRules]
    .filter(([, rule]) => !canWriteField(rule, asSignedIn, member, resource.record_id))
    .flatMap(([field, rule]) => pathsOf(field, body).map((path) => [path, rule] as const));
  if (refused.length === 0) return;
  const [first] = refused[0]!;
  const isOwn = resource.record_id === member.collaborator_id;
  const text =
    refused.length <= 3
      ? t`You can't write ${refused.map(([path]) => path).join(', ')}.`
      : t`You can't write ${first} and others.`;
  // Any of 1,000 items may contain the field.
  const errors = Object.fromEntries(refused.map(([path, rule]) => [path, [refusal(rule, isOwn)]]));
  throw problemWithErrors(403, 'field_forbidden', text, errors);
}

/** The paths of a field in a body: `salary`, or `items.3.salary` for the rule `items.*.salary`. */
function pathsOf(field: string, body: Fields): string[] {
  const [list, , itemField] = field.split('.');
  if (itemField === undefined) return Object.hasOwn(body, field) ? [field] : [];
  const items = Object.hasOwn(body, list!) && Array.isArray(body[list!]) ? (body[list!] as unknown[]) : [];
  return items.flatMap((item, index) => {
    const hasField = typeof item === 'object' && item !== null && Object.hasOwn(item, itemField);
    return hasField ? [`${list}.${index}.${itemField}`] : [];
  });
}

function refuseValues({ operation, resource }: RequestContext, body: Fields, member: Member): void {
  for (const [field, values] of operation.valueRules) {
    const access = values.get(String(body[field]));
    if (access && !reaches(access, member, resource.record_id)) {
      throw forbidden(reachesOthers(access.manager) ? 'manager' : 'admin');
    }
  }
}

function requireRecentSignIn({ operation, caller }: RequestContext, body: Fields): void {
  if (!caller.lacks) return;
  const stepUpRules = [...operation.writeRules].filter(([, { step_up: stepUp }]) => stepUp);
  if (stepUpRules.some(([field]) => pathsOf(field, body).length > 0)) requireStepUp(caller);
}

function reachesOthers(reach: RecordScope): boolean {
  return reach === 'all' || reach === 'team';
}

/** @param isOwn whether it is the caller's own record, which only someone above them may change */
function refusal(rule: FieldAccess, isOwn: boolean): FieldError {
  if (isOwn && rule.employee === 'none' && rule.manager === 'team') {
    const message = t`Only your manager or an admin can change this field of your own record.`;
    return { code: 'field_not_allowed', message };
  }
  const role = rule.employee !== 'none' ? 'employee' : rule.manager !== 'none' ? 'manager' : 'admin';
  const message = rule.scopes?.length
    ? t`Writing this field needs the role ${role} and the scope ${rule.scopes.join(' ')}.`
    : t`Writing this field needs the role ${role}.`;
  return { code: 'field_not_allowed', message };
}
