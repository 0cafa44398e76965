/** Step-up authentication: operations that may show others' salaries, and those the contract names, require a recent sign-in. */
import { contract, type FieldAccess } from '../../contract/contract.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import { fieldRules, type OperationAccess } from './permissions.ts';

const salary = fieldRules(contract.components.schemas.Collaborator!, 'x-read-access').get('salary')!;

type Reader = Pick<Viewer, 'caller' | 'member'>;

export function needsStepUp({ step_up: stepUp }: Pick<OperationAccess, 'step_up'>, reader: Reader): boolean {
  if (!stepUp || !reader.caller.lacks) return false;
  return stepUp === 'always' || mayReadHidden(reader);
}

/**
 * For requests that name salaries or sensitive custom fields; others get a response without them instead of an error.
 * @param recordId of a single person
 * @throws 401
 */
export function requireForHidden(fields: ReadonlySet<string> | undefined, reader: Reader, recordId?: string): void {
  if (!fields || recordId === reader.member.collaborator_id) return;
  if (fields.has('salary') && mayRead(salary, reader)) requireStepUp(reader.caller);
  for (const { path, sensitive, readers } of reader.member.fields?.active ?? []) {
    if (sensitive && fields.has(path) && mayRead(readers, reader)) requireStepUp(reader.caller);
  }
}

function mayReadHidden(reader: Reader): boolean {
  const sensitive = reader.member.fields?.active.filter((field) => field.sensitive) ?? [];
  return mayRead(salary, reader) || sensitive.some(({ readers }) => mayRead(readers, reader));
}

/** Of others, by scopes and role. */
function mayRead(rule: FieldAccess, { caller, member }: Reader): boolean {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return false;
  return rule[member.role] === 'all' || rule[member.role] === 'team';
}
